import { pieces, type TextsAnswer, type TextsQuery } from '@ballot-beacon/contract/office/words';
import type { infer as Infer } from 'zod/mini';
import type { OfficeVisit } from '../people/index.ts';
import type { Catalog } from '../texts/index.ts';
import { channelPrefixes, findOwnWords, nameText, productWords, stateOf } from './rules.ts';
import { readDrafted, readLastChanges, readOwnTexts } from './store.ts';

const mostTexts = 100;
const beginningLength = 160;

/** The office's pieces, what it worded itself and what is drafted; with a search, every text that matches in this language. */
export async function findTexts(
  { db, account }: Pick<OfficeVisit, 'db' | 'account'>,
  catalog: Catalog,
  { language, search = '', channel }: Infer<typeof TextsQuery>,
): Promise<{
  texts: Omit<TextsAnswer['texts'][number], 'segments'>[];
  has_more: boolean;
}> {
  const own = await readOwnTexts(db, account.accountId);
  const changes = await readLastChanges(db);
  const drafted = await readDrafted(db);
  const bodyOf = (text: string) =>
    (findOwnWords(own, { text, language }) ?? productWords(catalog, { text, language })).body;
  const wanted = search.toLowerCase();
  const names = new Set<string>(
    wanted === '' && !channel
      ? [...pieces, ...[...own, ...drafted].map(({ text }) => text)]
      : listNames(catalog).filter((text) =>
          [text, bodyOf(text)].some((one) => one.toLowerCase().includes(wanted)),
        ),
  );
  const prefix = channel && channelPrefixes[channel];
  if (prefix) for (const text of names) if (!text.startsWith(prefix)) names.delete(text);
  // Release notes are published in one language.
  if (language !== 'english') names.delete('release-note');
  return {
    texts: [...names].slice(0, mostTexts).map((text) => ({
      text,
      beginning: beginningOf(bodyOf(text)),
      state: stateOf({ text, language }, own, changes),
      has_draft: drafted.some((one) => one.text === text && one.language === language),
    })),
    has_more: names.size > mostTexts,
  };
}

function listNames(catalog: Catalog): string[] {
  const ofSection = (section: 'main' | 'messages') =>
    Object.keys(catalog.texts('english', section)).map((key) => nameText(section, key));
  return [...new Set([...pieces, ...ofSection('main'), ...ofSection('messages')])];
}

function beginningOf(body: string): string {
  const plain = body
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.length > beginningLength ? `${plain.slice(0, beginningLength)}…` : plain;
}
