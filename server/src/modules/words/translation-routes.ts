import { Readable } from 'node:stream';
import type { Language } from '@ballot-beacon/contract/languages';
import type { TranslationsImported } from '@ballot-beacon/contract/office/translations';
import { attachAs } from '../../platform/attach.ts';
import type { Config } from '../../platform/config.ts';
import type { Tx } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import { recordAudit } from '../audit/index.ts';
import type { OfficeApi, SignedInVisit } from '../people/index.ts';
import { readXliff, writeXliff, type XliffContent } from '../text-review/index.ts';
import type { Catalog } from '../texts/index.ts';
import type { Author } from './change-text.ts';
import { languagesOf } from './languages.ts';
import { findLengthProblem } from './message-samples.ts';
import { readDraft, readLastChanges, readOwnTexts, saveDraft } from './store.ts';
import { listUnits, readUnits, type Translated } from './translations.ts';

/** More refused texts than anybody would read one by one. */
const mostRefusals = 200;

/** The office's own texts, out to its translators and back as drafts. */
export function registerTranslationRoutes(api: OfficeApi, catalog: Catalog, config: Config): void {
  api.answer('downloadTranslations', async (visit, { query: { language }, reply }) => {
    refuseOther(visit, catalog, language);
    const { db, account } = visit;
    const own = await readOwnTexts(db, account.accountId);
    const changes = await readLastChanges(db);
    const units = listUnits({ catalog, own }, changes, language);
    if (units.length === 0)
      throw problem(
        404,
        'Your office has no English of its own yet, so nothing is to be translated.',
      );
    attachAs(reply, `${language}.xlf`);
    return Readable.from([writeXliff(language, units, [])]);
  });

  api.answer('importTranslations', async (visit, { body }) => {
    const { language, units } = readFile(body);
    refuseOther(visit, catalog, language);
    const { db, account, session, now } = visit;
    const { accountId } = account;
    const by = { accountId, actor: session.actor, now };
    return db.transaction().execute(async (tx) => {
      const own = await readOwnTexts(tx, accountId);
      const read = readUnits({ catalog, own }, language, units);
      const answer = await saveDrafts(tx, config, by, language, read);
      if (answer.drafted.length > 0)
        await recordAudit(tx, accountId, {
          ...{ actor: session.actor, action: 'translation.import', target: language },
          details: { drafts: answer.drafted.length, refused: answer.refused.length },
        });
      return answer;
    });
  });
}

/** Nobody's draft is overwritten. */
async function saveDrafts(
  tx: Tx,
  config: Config,
  by: Author,
  language: Language,
  { drafts, refused, ...counts }: Translated,
): Promise<TranslationsImported> {
  const drafted: string[] = [];
  const waiting: TranslationsImported['refused'] = [];
  let { unchanged } = counts;
  for (const { text, words } of drafts) {
    const tooLong = await findLengthProblem(tx, config, by.accountId, { text, language, words });
    if (tooLong !== undefined) {
      waiting.push({ text, reason: tooLong });
      continue;
    }
    if ((await saveDraft(tx, { text, language, words }, by, null)) !== undefined) {
      drafted.push(text);
      continue;
    }
    const draft = await readDraft(tx, { text, language });
    if (draft?.words?.title === words.title && draft.words.body === words.body) unchanged += 1;
    else
      waiting.push({
        text,
        reason: 'A draft of this text waits. Publish or discard it, then choose the file again.',
      });
  }
  return {
    ...{ language, ...counts, unchanged, drafted },
    refused: [...waiting, ...refused].slice(0, mostRefusals),
  };
}

function readFile(body: Buffer): XliffContent {
  try {
    return readXliff(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    // A decoder's own words mean nothing to a clerk.
    const isEncoding = error instanceof TypeError;
    const reason = isEncoding ? 'It is not a text in UTF-8.' : (error as Error).message;
    throw problem(422, `This file cannot be read. ${reason}`);
  }
}

function refuseOther(visit: SignedInVisit, catalog: Catalog, language: Language): void {
  if (language === 'english')
    throw problem(422, 'English is what is translated from. Choose another language.');
  if (!languagesOf(visit, catalog).includes(language))
    throw problem(
      422,
      'Your office does not offer this language. Administrators choose languages under Settings.',
    );
}
