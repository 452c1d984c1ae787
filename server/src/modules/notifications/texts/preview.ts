import { isLanguage, type Language } from '@ballot-beacon/contract/languages';
import { type Channel, channels } from '@ballot-beacon/contract/messages';
import {
  type BallotStatus,
  ballotStatuses,
  isBallotStatus,
} from '@ballot-beacon/contract/statuses';
import type { Config } from '../../../platform/config.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import type { Defect } from '../../deadlines/index.ts';
import { type Office, readOffice, wordsOf } from '../office/store.ts';
import { messageLanguages } from './load.ts';
import { type MessageFacts, type RenderedMessage, renderMessage } from './render.ts';
import { measureSms, type SmsSize } from './segments.ts';

/** Messages that are not of a status. */
const otherMessages = {
  email: [
    'welcome',
    'news-waiting',
    'change',
    'registered',
    'correction',
    'contact-code',
    'fix-reminder',
    'stopped-mail',
  ],
  sms: [
    'opt-in',
    'confirmed',
    'stopped',
    'help',
    'change',
    'correction',
    'contact-code',
    'fix-reminder',
    'stopped-mail',
  ],
  voice: ['change', 'registered', 'correction', 'contact-code', 'fix-reminder', 'stopped-mail'],
} as const satisfies Record<Channel, readonly MessageFacts['about'][]>;

type About = BallotStatus | (typeof otherMessages)[Channel][number];

export interface MessagePreview extends RenderedMessage {
  readonly about: string;
  readonly channel: Channel;
  readonly language: Language;
  /** Of a text. */
  readonly size: SmsSize | null;
}

/** Every message as a voter of this account would get it, with invented values; narrowed by what is given. */
export async function previewMessages(
  db: Db,
  config: Config,
  accountId: AccountId,
  only: { readonly language?: string; readonly channel?: string; readonly about?: string },
): Promise<MessagePreview[]> {
  const office = await readOffice(db, config, accountId);
  const languages = messageLanguages().filter((language) =>
    only.language ? language === only.language : office.account.languages.includes(language),
  );
  const previews: MessagePreview[] = [];
  for (const wish of languages.filter(isLanguage))
    for (const channel of channels.filter((one) => !only.channel || one === only.channel))
      for (const about of [...ballotStatuses, ...otherMessages[channel]].filter(
        (one) => !only.about || one === only.about,
      )) {
        const { t, language } = office.translate(wish);
        const facts = inventFacts(office, about);
        const rendered = renderMessage(channel, facts, wordsOf(office, facts.about), t, language);
        previews.push({
          ...rendered,
          about,
          channel,
          language,
          size: channel === 'sms' ? measureSms(rendered.body) : null,
        });
      }
  return previews;
}

/** A voter and a ballot that there are not. */
function inventFacts(
  { words, account }: Office,
  about: About,
  defect: Defect = 'signature-missing',
): MessageFacts {
  const isQuestion = about === 'welcome' || about === 'news-waiting';
  return {
    ...(isBallotStatus(about) ? { about: 'status', status: about } : { about, status: null }),
    name: 'Josephine',
    election: 'General Election',
    electionDate: '2026-11-03',
    date: '2026-10-12',
    proof: '204816',
    actionUrl: isQuestion ? `${words.url}?code=EXAMPLE` : null,
    code: '7K3M9QX2',
    unsubscribeUrl: `${words.url}/unsubscribe?key=EXAMPLE&email=voter%40example.com`,
    fix: {
      defect,
      deadline: '2026-11-05T17:00:00-05:00',
      timeZone: account.timeZone,
    },
    stop: {
      known: 'stopped.no-scan',
      steps: [{ text: 'stopped.do.drop-box-outbound', day: null }],
    },
    isCountingReported: account.settings.reports_counted,
  };
}

/** One text of a message, within a message that contains it. */
export interface TextSample {
  readonly channel: Channel;
  readonly subject: string | null;
  readonly body: string;
  /** Of a text message; else null. */
  readonly segments: number | null;
}

/**
 * Messages that contain these texts, as an invented voter would get them. A text that no message of a voter's own ballot
 * or contact details contains, such as the answer to an unknown number, is left out.
 *
 * @param keys as in `messages.json`
 * @param draft laid over the office's words; null: the product's own
 */
export async function sampleTexts(
  db: Db,
  config: Config,
  accountId: AccountId,
  given: {
    readonly language: Language;
    readonly keys: readonly string[];
    readonly draft?: { readonly key: string; readonly value: string | null };
  },
): Promise<Map<string, TextSample>> {
  const office = await readOffice(db, config, accountId);
  const { t, language } = office.translate(given.language, given.draft);
  return new Map(
    given.keys.flatMap((key) => {
      const found = inventMessageWith(office, key);
      if (!found) return [];
      const { channel, facts } = found;
      const { subject, body } = renderMessage(
        channel,
        facts,
        wordsOf(office, facts.about),
        t,
        language,
      );
      const segments = channel === 'sms' ? measureSms(body).segments : null;
      return [[key, { channel, subject, body, segments }] as const];
    }),
  );
}

const channelOfKey = { mail: 'email', sms: 'sms', voice: 'voice', reason: 'email' } as const;
/** Texts of every email or call. */
const common =
  /^(?:mail\.(?:greeting|track|contact|contact-by-phone|why|unsubscribe|preferences|code|expected)|voice\.(?:greeting|code|closing))$/;

function inventMessageWith(
  office: Office,
  key: string,
): { channel: Channel; facts: MessageFacts } | undefined {
  const [prefix = '', topic = '', more] = key.split('.');
  if (!Object.hasOwn(channelOfKey, prefix)) return undefined;
  // Mails name one of the two ways to ask.
  if (key === (office.words.email === '' ? 'mail.contact' : 'mail.contact-by-phone'))
    return undefined;
  const channel = channelOfKey[prefix as keyof typeof channelOfKey];
  if (common.test(key))
    return { channel, facts: { ...inventFacts(office, 'sent'), expectedOn: '2026-10-14' } };
  if (prefix === 'reason')
    return { channel, facts: inventFacts(office, 'rejected-curable', topic as Defect) };
  if (topic === 'fix') return { channel, facts: inventFacts(office, 'rejected-curable') };
  if (topic === 'rejected-curable')
    return { channel, facts: { ...inventFacts(office, topic), fix: null } };
  const about = [...ballotStatuses, ...otherMessages[channel]].find((one) => one === topic);
  const isCountingReported = more === 'uncounted';
  return about && { channel, facts: { ...inventFacts(office, about), isCountingReported } };
}
