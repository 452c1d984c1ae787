import { isLanguage, type Language } from '@ballot-beacon/contract/languages';
import { type Channel, channels } from '@ballot-beacon/contract/messages';
import { ballotStatuses, isBallotStatus } from '@ballot-beacon/contract/statuses';
import type { Config } from '../../../platform/config.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import { readOffice } from '../office/store.ts';
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
        const facts = {
          about: isBallotStatus(about) ? ('status' as const) : about,
          status: isBallotStatus(about) ? about : null,
          name: 'Josephine',
          election: 'General Election',
          electionDate: '2026-11-03',
          date: '2026-10-12',
          proof: '204816',
          actionUrl:
            about === 'welcome' || about === 'news-waiting'
              ? `${office.words.url}?code=EXAMPLE`
              : null,
          code: '7K3M9QX2',
          unsubscribeUrl: `${office.words.url}/unsubscribe?key=EXAMPLE&email=voter%40example.com`,
          fix: {
            defect: 'signature-missing' as const,
            deadline: '2026-11-05T17:00:00-05:00',
            timeZone: office.account.timeZone,
          },
          stop: {
            known: 'stopped.no-scan',
            steps: [{ text: 'stopped.do.drop-box-outbound', day: null }],
          },
          isCountingReported: office.account.settings.reports_counted,
        };
        const rendered = renderMessage(channel, facts, office.words, t, language);
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
