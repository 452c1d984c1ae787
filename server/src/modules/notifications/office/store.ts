import { type Language, languages } from '@ballot-beacon/contract/languages';
import type { MessageKind } from '@ballot-beacon/contract/messages';
import type { Texts, Translate } from '@ballot-beacon/contract/translate';
import { sql } from 'kysely';
import type { Config } from '../../../platform/config.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import { type Account, findAccount, offeredChannels } from '../../accounts/index.ts';
import type { AccountRules } from '../enqueue/store.ts';
import { messageTranslate } from '../texts/load.ts';
import type { OfficeWords } from '../texts/render.ts';

/** An election office as its messages need it. */
export interface Office {
  readonly account: Account;
  readonly words: OfficeWords;
  /** For messages that a visitor causes and that nobody approves: without a number of its own, an office names ours. */
  readonly replyWords: OfficeWords;
  /** `https://adams.example.gov`, without a slash at the end. */
  readonly origin: string;
  /** @param draft laid over the office's own words; null: the product's own */
  translate(
    language: Language,
    draft?: { readonly key: string; readonly value: string | null },
  ): { t: Translate; language: Language };
}

/** Messages that wait for a person where they have a gap. */
const ofBallots: ReadonlySet<MessageKind> = new Set([
  'status',
  'catch-up',
  'correction',
  'fix-reminder',
  'stopped-mail',
]);

/** What a message of this kind calls the office. */
export function wordsOf({ words, replyWords }: Office, kind: MessageKind): OfficeWords {
  return ofBallots.has(kind) ? words : replyWords;
}

/** Reads the office with its own words over ours. */
export async function readOffice(db: Db, config: Config, accountId: AccountId): Promise<Office> {
  const account = await findAccount(db, accountId);
  if (!account) throw new Error(`There is no account ${accountId}.`);
  const { rows } = await sql<{ language: Language; key: string; value: string }>`
    select language, key, value from translation_overrides
    where account_id = ${accountId} and section = 'messages'`.execute(db);
  const overrides = new Map<Language, Record<string, string>>();
  for (const { language, key, value } of rows) {
    const own = overrides.get(language) ?? {};
    own[key] = value;
    overrides.set(language, own);
  }
  const made = new Map<Language, { t: Translate; language: Language }>();
  const origin = originOf(config, account.subdomain);
  const words = {
    office: account.name,
    phone: showPhone(account.settings.contact_phone),
    email: account.settings.contact_email,
    url: `${origin}/voter`,
    timeZone: account.timeZone,
  };
  return {
    account,
    origin,
    words,
    replyWords: { ...words, phone: words.phone || showPhone(config.supportPhone) },
    translate(language, draft) {
      const known = made.get(language);
      if (known && !draft) return known;
      const { [draft?.key ?? '']: _own, ...others }: Texts = overrides.get(language) ?? {};
      const texts = draft?.value == null ? others : { ...others, [draft.key]: draft.value };
      const translate = messageTranslate(
        Object.hasOwn(languages, language) ? language : 'english',
        texts,
      );
      if (!draft) made.set(language, translate);
      return translate;
    },
  };
}

/** Caches offices for a while: the messages of a batch need the same office again and again. */
export function createOfficeCache(
  db: Db,
  config: Config,
  maximumAgeMs = 15_000,
): (accountId: AccountId) => Promise<Office> {
  const known = new Map<AccountId, { office: Promise<Office>; at: number }>();
  return (accountId) => {
    const entry = known.get(accountId);
    if (entry && Date.now() - entry.at < maximumAgeMs) return entry.office;
    const office = readOffice(db, config, accountId);
    known.set(accountId, { office, at: Date.now() });
    office.catch(() => known.delete(accountId));
    return office;
  };
}

/** The origin that serves every office's providers, and the pages of the default account. */
export function publicOrigin(config: Config): string {
  return baseOf(config).origin;
}

function baseOf(config: Config): URL {
  return config.publicUrl ?? new URL(`http://${config.baseDomain}:${config.port}`);
}

/** The origin of an account's pages; the bare host for the default account. */
export function originOf(config: Config, subdomain: string): string {
  const base = baseOf(config);
  if (subdomain === config.defaultAccount) return base.origin;
  const port = base.port === '' ? '' : `:${base.port}`;
  return `${base.protocol}//${subdomain}.${config.baseDomain}${port}`;
}

/** A US number as (xxx) xxx-xxxx (product spec §2); anything else as the office wrote it. */
function showPhone(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  return digits.length === 10
    ? `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
    : phone;
}

/** The settings of an account for its messages. */
export function rulesOf({ account }: Office): AccountRules {
  const { settings } = account;
  return {
    accountId: account.accountId,
    timeZone: account.timeZone,
    quietHours: settings.quiet_hours,
    notifyingStatuses: settings.notifying_statuses,
    channels: offeredChannels(settings),
    dailyRequests: settings.daily_request_limits,
  };
}
