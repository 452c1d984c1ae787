import type { Language } from '@ballot-beacon/contract/languages';
import type { MessageSample, Words } from '@ballot-beacon/contract/office/words';
import type { Config } from '../../platform/config.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { sampleTexts } from '../notifications/index.ts';
import { channelPrefixes, keyOf, type TextOf } from './rules.ts';

/** Each part is paid for, and each can get lost. A language whose own words need more may have as many. */
const usualSegments = 2;

/**
 * A message that contains the text, for an invented voter; undefined where no such message does.
 *
 * @param draft without one, as voters get it now
 */
export async function sampleMessage(
  db: Db,
  config: Config,
  accountId: AccountId,
  { text, language }: TextOf,
  draft: { readonly words: Words | null } | undefined,
): Promise<MessageSample | undefined> {
  if (!text.startsWith('messages:')) return undefined;
  const { key } = keyOf(text);
  const sampleWith = async (value: string | null | undefined) =>
    (
      await sampleTexts(db, config, accountId, {
        ...{ language, keys: [key] },
        ...(value !== undefined && { draft: { key, value } }),
      })
    ).get(key);
  const sample = await sampleWith(draft && (draft.words?.body ?? null));
  if (!sample || sample.segments === null) return sample && { ...sample, most_segments: null };
  const shipped = await sampleWith(null);
  return { ...sample, most_segments: Math.max(usualSegments, shipped?.segments ?? 0) };
}

/** Why a draft would be sent in too many parts; undefined where it would not. */
export async function findLengthProblem(
  db: Db,
  config: Config,
  accountId: AccountId,
  draft: TextOf & { readonly words: Words | null },
): Promise<string | undefined> {
  if (!draft.words || !isTextMessage(draft.text)) return undefined;
  const sample = await sampleMessage(db, config, accountId, draft, draft);
  const { segments, most_segments: most } = sample ?? {};
  if (segments == null || most == null || segments <= most) return undefined;
  return `This text message would be sent in ${segments} parts, and ${most} is the most. Say it in fewer words.`;
}

/** In how many parts voters get each text message now. @param texts of which those of text messages are counted */
export async function countSegments(
  db: Db,
  config: Config,
  accountId: AccountId,
  { language, texts }: { readonly language: Language; readonly texts: readonly string[] },
): Promise<Map<string, number>> {
  const own = texts.filter(isTextMessage);
  if (own.length === 0) return new Map();
  const keys = own.map((text) => keyOf(text).key);
  const samples = await sampleTexts(db, config, accountId, { language, keys });
  return new Map(
    own.flatMap((text) => {
      const segments = samples.get(keyOf(text).key)?.segments;
      return segments == null ? [] : [[text, segments] as const];
    }),
  );
}

function isTextMessage(text: string): boolean {
  return text.startsWith(channelPrefixes.sms);
}
