import { formatsFor } from '@ballot-beacon/contract/formats';
import { type Language, languages } from '@ballot-beacon/contract/languages';
import type { Channel, MessageKind } from '@ballot-beacon/contract/messages';
import type { TextValues, Translate } from '@ballot-beacon/contract/translate';
import { Temporal } from 'temporal-polyfill';
import { localDay } from '../../../platform/clock.ts';
import type { Defect } from '../../deadlines/index.ts';
import { showCode, spellCode } from '../message-codes.ts';
import { fitSms } from './segments.ts';

/** What an office is called and how it is reached, in its messages. */
export interface OfficeWords {
  readonly office: string;
  /** (xxx) xxx-xxxx */
  readonly phone: string;
  readonly email: string;
  /** The product's address for this office's voters, `https://…/voter`. */
  readonly url: string;
  readonly timeZone: string;
}

/** The values of one message besides its office. Days are `YYYY-MM-DD`. */
export interface MessageFacts {
  /** A kind of message but `catch-up`, which says the same as `status`. */
  readonly about: Exclude<MessageKind, 'catch-up'>;
  readonly status: string | null;
  readonly name: string;
  readonly election: string;
  readonly electionDate: string | null;
  /** That day has come: nobody is asked to do something before it. */
  readonly isDayHere?: boolean;
  /** The day of the message that is corrected. */
  readonly date: string | null;
  /** Six digits by which a voter shows that a session is the voter's own; of such a message alone. */
  readonly proof?: string;
  /** The link of a message about an envelope to fix; absent or null: the office's page. */
  readonly fixUrl?: string | null;
  /** Link of the main button; the office's page when null. */
  readonly actionUrl: string | null;
  readonly unsubscribeUrl: string | null;
  /** Ends the message, so that its reader can check that it is ours. */
  readonly code: string;
  /** Of an envelope to fix whose deadline is known: what is wrong, and until when (ISO 8601, on the clock of its zone). */
  readonly fix?: {
    readonly defect: Defect;
    readonly deadline: string;
    readonly timeZone: string;
  } | null;
  /** Of an envelope that stopped in the mail: the texts of what is known and of what to do. */
  readonly stop?: {
    readonly known: string;
    readonly steps: readonly { readonly text: string; readonly day: string | null }[];
  } | null;
  /** The office reports when a ballot is counted, so that an accepted one is not counted yet. */
  readonly isCountingReported?: boolean;
  /** `YYYY-MM-DD`: when the office expects a ballot that it mailed at its voter; absent or null: it has not said. */
  readonly expectedOn?: string | null;
}

export interface RenderedMessage {
  readonly subject: string | null;
  /** Plain text; for a call, what is spoken, one paragraph a line. */
  readonly body: string;
  readonly html: string | null;
  /** Placeholders without a value and keys without a text: a message with a gap must never leave. */
  readonly gaps: readonly string[];
}

/** Writes the text of a message. An empty value counts as none. */
export function renderMessage(
  channel: Channel,
  facts: MessageFacts,
  office: OfficeWords,
  t: Translate,
  language: Language,
): RenderedMessage {
  const formats = formatsFor(language, office.timeZone);
  const values = withoutEmpty({
    office: office.office,
    phone: office.phone,
    email: office.email,
    url: facts.fixUrl ?? office.url,
    name: facts.name,
    election: facts.election,
    electionDate: facts.electionDate ? formats.date(facts.electionDate) : '',
    date: facts.date ? formats.date(facts.date) : '',
    ...(facts.fix && {
      reason: t(`reason.${facts.fix.defect}`),
      // A text message has less than half the room when a space in it does not break.
      deadline: formatsFor(language, facts.fix.timeZone)
        .deadline(facts.fix.deadline)
        .replaceAll(/\s/g, ' '),
    }),
    ...(facts.stop && {
      known: t(facts.stop.known),
      advice: facts.stop.steps
        .map(({ text, day }) => t(text, day === null ? {} : { date: formats.weekday(day) }))
        .join(' '),
    }),
    ...(facts.expectedOn && {
      from: formats.weekday(facts.expectedOn),
      to: formats.weekday(addDays(facts.expectedOn, expectedRangeDays)),
    }),
    code: channel === 'voice' ? spellCode(facts.code) : showCode(facts.code),
    // Spoken digit by digit.
    proof: (channel === 'voice' ? facts.proof?.split('').join(', ') : facts.proof) ?? '',
  });
  const gaps: string[] = [];
  const say: Say = (key) => {
    const text = t(key, values);
    if (text === key) gaps.push(key);
    else if (text.includes('{{')) gaps.push(...listGaps(t, key, values));
    return text;
  };
  const ofStatus = facts.about === 'status' ? facts.status : null;
  const isUncounted = ofStatus === 'accepted' && facts.isCountingReported;
  const also = [
    ...(isUncounted ? [say('status.accepted.counting')] : []),
    ...(ofStatus === 'sent' && facts.expectedOn ? [say('mail.expected')] : []),
  ];
  const isFix = facts.about === 'status' && facts.status === 'rejected-curable' && facts.fix;
  const topic = isFix ? 'fix' : facts.about === 'status' ? (facts.status ?? '') : facts.about;
  if (channel === 'sms')
    // Without a dash, which would cost some texts another segment.
    return {
      subject: null,
      body: fitSms(
        `${say(isUncounted ? `sms.${topic}.uncounted` : `sms.${topic}`)} ${facts.code}`,
        language,
      ),
      html: null,
      gaps,
    };
  if (channel === 'voice') {
    const spoken = [
      say('voice.greeting'),
      [say(`voice.${topic}`), ...also].join(' '),
      say('voice.code'),
      say('voice.closing'),
    ];
    return { subject: null, body: spoken.join('\n'), html: null, gaps };
  }
  return { ...renderMail(topic, also, facts, office, say, language), gaps };
}

/** The placeholders of a text that have no value. A name on the roll may have braces of its own. */
export function listGaps(t: Translate, key: string, values: TextValues): string[] {
  const text = t(key, 'name' in values ? { ...values, name: 'Name' } : values);
  return text.includes('{{') ? (text.match(/\{\{\s*\w*\s*\}\}/g) ?? [key]) : [];
}

/** Whether a day has begun at the office. */
export function isDayHere(day: string | null, now: Date, timeZone: string): boolean {
  return day !== null && day <= localDay(now, timeZone);
}

/** A day that has passed at the office is no news. */
export function expectedDay(day: string | null, now: Date, timeZone: string): string | null {
  return day !== null && day >= localDay(now, timeZone) ? day : null;
}

/** An expected day is given as a range to this many days later (product spec §9). */
const expectedRangeDays = 2;

function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

type Say = (key: string) => string;

/** What mails ask for before Election Day. From then on a call shows what is left. */
const beforeElection: ReadonlySet<string> = new Set(['rejected', 'undeliverable', 'cancelled']);

function renderMail(
  topic: string,
  also: readonly string[],
  facts: MessageFacts,
  office: OfficeWords,
  say: Say,
  language: Language,
): Omit<RenderedMessage, 'gaps'> {
  const subject = say(`mail.${topic}.subject`);
  const isNotice =
    facts.about === 'change' || facts.about === 'registered' || facts.about === 'contact-code';
  const isQuestion = facts.about === 'welcome' || facts.about === 'news-waiting';
  // The reader of an address that is not confirmed, or no longer used, learns no voter's name.
  const greeting = isNotice || isQuestion ? null : say('mail.greeting');
  const meaning = [say(`mail.${topic}.meaning`), ...also].join(' ');
  const isTooLate = facts.isDayHere && beforeElection.has(topic);
  const next = say(isTooLate ? 'mail.not-counted.next' : `mail.${topic}.next`);
  const action = isQuestion ? say('mail.welcome.action') : say('mail.track');
  const actionUrl = facts.actionUrl ?? facts.fixUrl ?? office.url;
  const contact = office.email === '' ? say('mail.contact-by-phone') : say('mail.contact');
  const why = isNotice ? null : say('mail.why');
  const preferences = isNotice ? null : say('mail.preferences');
  const stop = say('mail.unsubscribe');
  const unsubscribe = isNotice ? null : facts.unsubscribeUrl;
  const code = say('mail.code');
  const paragraphs = [
    greeting,
    meaning,
    next,
    `${action}:\n${actionUrl}`,
    contact,
    why,
    preferences && `${preferences}:\n${office.url}/preferences`,
    unsubscribe && `${stop}:\n${unsubscribe}`,
    code,
  ];
  const body = `${paragraphs.filter((paragraph) => paragraph !== null).join('\n\n')}\n`;
  const { tag, dir } = languages[language];
  const p = (text: string | null, style = '') =>
    text === null ? '' : `<p style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`;
  const html =
    `<!doctype html><html lang="${tag}" dir="${dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>` +
    `<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif"><div style="max-width:34em;margin:0 auto">` +
    `<p style="margin:0 0 24px;font-weight:bold">${escapeHtml(office.office)}</p>` +
    `<h1 style="font-size:24px;line-height:1.25;margin:0 0 16px">${escapeHtml(subject)}</h1>` +
    p(greeting) +
    p(meaning) +
    p(next, 'font-weight:bold;') +
    `<p style="margin:0 0 24px"><a href="${escapeHtml(actionUrl)}" style="display:inline-block;padding:12px 20px;background:#0b5394;color:#fff;border-radius:4px;text-decoration:none">${escapeHtml(action)}</a></p>` +
    p(contact) +
    `<hr style="border:0;border-top:1px solid #888">` +
    p(why, 'font-size:14px;') +
    (preferences
      ? `<p style="margin:0 0 8px;font-size:14px"><a href="${escapeHtml(`${office.url}/preferences`)}">${escapeHtml(preferences)}</a></p>`
      : '') +
    (unsubscribe
      ? `<p style="margin:0 0 8px;font-size:14px"><a href="${escapeHtml(unsubscribe)}">${escapeHtml(stop)}</a></p>`
      : '') +
    p(code, 'font-size:14px;') +
    `</div></body></html>`;
  return { subject, body, html };
}

/** The values of a text's placeholders; an empty value counts as none. */
export function withoutEmpty(values: Record<string, string>): TextValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);
}
