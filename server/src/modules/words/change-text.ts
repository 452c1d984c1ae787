import type { Words } from '@ballot-beacon/contract/office/words';
import type { AccountId } from '../../platform/ids.ts';
import type { Tx } from '../../platform/postgres.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { addReleaseNote, saveNoBallotMessage, saveOfficePage } from '../content/index.ts';
import { saveOverride } from '../texts/index.ts';
import { findOwnWords, keyOf, type TextOf, toWords } from './rules.ts';
import { insertVersion, readOwnTexts } from './store.ts';

/** Who changes what voters read, and when. */
export interface Author {
  readonly accountId: AccountId;
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * Shows voters other words, at the console and by a command alike: the change is in the text's history and in the audit.
 *
 * @param to null goes back to the product's own words
 */
export async function changeText(
  tx: Tx,
  author: Author,
  { text, language }: TextOf,
  to: Words | null,
): Promise<void> {
  const from = findOwnWords(await readOwnTexts(tx, author.accountId), { text, language });
  const target = await save(tx, author, { text, language }, to);
  await insertVersion(tx, author, { text, language, from, to });
  const { accountId, actor } = author;
  await recordAudit(tx, accountId, { actor, ...target });
}

/** @returns what the audit says of it */
async function save(
  tx: Tx,
  { accountId }: Author,
  { text, language }: TextOf,
  to: Words | null,
): Promise<{ readonly action: string; readonly target: string }> {
  if (text === 'faq' || text === 'county-information') {
    await saveOfficePage(tx, accountId, { page: text, language, html: to?.body ?? null });
    return { action: 'page.set', target: `${text} ${language}` };
  }
  if (text === 'no-ballot') {
    const message = to && { title: to.title, description: to.body };
    await saveNoBallotMessage(tx, accountId, language, message);
    return { action: 'no-ballot.set', target: language };
  }
  const value = to?.body ?? null;
  if (text === 'alert') {
    await saveOverride(tx, accountId, { ...keyOf(text), language, value });
    return { action: to ? 'alert.set' : 'alert.clear', target: language };
  }
  const { section, key } = keyOf(text);
  await saveOverride(tx, accountId, { language, section, key, value });
  return { action: 'translation.set', target: `${language} ${section} ${key}` };
}

/** Publishes a release note as of the author's time. @returns its number */
export async function publishNote(tx: Tx, author: Author, html: string): Promise<number> {
  const { accountId, actor, now } = author;
  const noteId = await addReleaseNote(tx, accountId, { html, publishedAt: now });
  await insertVersion(tx, author, {
    ...{ text: 'release-note', language: 'english', from: null, to: toWords(html) },
  });
  const target = String(noteId);
  await recordAudit(tx, accountId, { actor, action: 'release-note.add', target });
  return noteId;
}
