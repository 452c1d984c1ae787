import { formatsFor } from '@ballot-beacon/contract/formats';
import type { Language } from '@ballot-beacon/contract/languages';
import { type Channel, channels } from '@ballot-beacon/contract/messages';
import {
  type BallotStatus,
  ballotStatuses,
  isBallotStatus,
} from '@ballot-beacon/contract/statuses';
import { describe, expect, test } from 'vitest';
import { readKeyword } from '../inbound/keywords.ts';
import { messageLanguages, messageTranslate } from './load.ts';
import { type MessageFacts, renderMessage } from './render.ts';
import { measureSms } from './segments.ts';

const office = {
  office: 'Adams County Elections',
  phone: '(555) 555-0100',
  email: 'elections@adams.example',
  url: 'https://adams.beacon.example/voter',
  timeZone: 'America/New_York',
};
const facts: MessageFacts = {
  about: 'status',
  status: 'sent',
  name: 'Josephine',
  election: '2026 General Election',
  electionDate: '2026-11-03',
  date: '2026-10-05',
  proof: '204816',
  actionUrl: null,
  unsubscribeUrl: 'https://adams.beacon.example/voter/unsubscribe?key=k&email=e',
  code: '7K3M9QX2',
};
const replies = [
  'opt-in',
  'confirmed',
  'stopped',
  'help',
  'change',
  'correction',
  'contact-code',
] as const;

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

function render(
  channel: Channel,
  about: MessageFacts['about'],
  status: BallotStatus | null,
  language: 'english' | 'spanish',
) {
  const translate = messageTranslate(language);
  return renderMessage(
    channel,
    { ...facts, about, status },
    office,
    translate.t,
    translate.language,
  );
}

describe('the words of messages', () => {
  test('every status has its message on every channel, in every language, without a gap', () => {
    for (const language of messageLanguages())
      for (const status of ballotStatuses)
        for (const channel of channels) {
          const { t } = messageTranslate(language);
          const message = renderMessage(channel, { ...facts, status }, office, t, language);
          expect(message.gaps, `${language} ${channel} ${status}`).toEqual([]);
          expect(message.body).not.toMatch(/\{\{|undefined|null/);
          expect(message.body).toContain('Adams County Elections');
        }
  });

  test('an office without an email address is reached by phone alone', () => {
    const { t, language } = messageTranslate('english');
    const write = (email: string) =>
      renderMessage('email', facts, { ...office, email }, t, language);
    expect(write(office.email).body).toContain(office.email);
    const byPhone = write('');
    expect(byPhone.gaps).toEqual([]);
    expect(byPhone.body).toContain(office.phone);
  });

  test('the code that a call brings is spoken digit by digit', () => {
    expect(render('voice', 'contact-code', null, 'english').body).toContain('2, 0, 4, 8, 1, 6');
    expect(render('sms', 'contact-code', null, 'english').body).toContain('204816');
  });

  test('the text about an envelope to fix leads to the page about it', () => {
    const { t, language } = messageTranslate('english');
    const fixUrl = 'https://adams.beacon.example/f/7K3M9QX2';
    const about = { ...facts, status: 'rejected-curable' };
    expect(renderMessage('sms', { ...about, fixUrl }, office, t, language).body).toContain(fixUrl);
    expect(renderMessage('sms', about, office, t, language).body).toContain(office.url);
  });

  test('the news and the reminder of an envelope to fix say until when, on every channel and in every language', () => {
    const fix = {
      defect: 'signature-differs',
      deadline: '2026-11-05T17:00:00-06:00',
      // The deadline's own clock, which need not be the office's.
      timeZone: 'America/Chicago',
    } as const;
    for (const language of messageLanguages())
      for (const about of ['status', 'fix-reminder'] as const)
        for (const channel of channels) {
          const { t } = messageTranslate(language);
          const given = { ...facts, about, status: 'rejected-curable', fix };
          const { gaps, body } = renderMessage(channel, given, office, t, language);
          expect(gaps, `${language} ${channel} ${about}`).toEqual([]);
          expect(body).toContain('CST');
          expect(body).toContain('Adams County Elections');
          expect(body).not.toMatch(/\{\{|undefined|null/);
        }
  });

  test('a message about a stopped envelope says what is known and what to do, on every channel and in every language', () => {
    const stop = {
      known: 'stopped.no-scan',
      steps: [
        { text: 'stopped.do.drop-box-outbound', day: null },
        { text: 'stopped.do.replacement', day: '2026-10-27' },
      ],
    };
    for (const language of messageLanguages())
      for (const channel of channels) {
        const { t } = messageTranslate(language);
        const given = { ...facts, about: 'stopped-mail', status: null, stop } as const;
        const { gaps, body } = renderMessage(channel, given, office, t, language);
        expect(gaps, `${language} ${channel}`).toEqual([]);
        // A text drops accents where that saves a segment.
        expect(plain(body)).toContain(plain(t('stopped.do.drop-box-outbound')));
        expect(body).toContain('Adams County Elections');
        expect(body).not.toMatch(/\{\{|undefined|null|stopped\./);
      }
  });

  test('an accepted ballot is said not to be counted yet where the office reports both', () => {
    for (const channel of channels) {
      const { t } = messageTranslate('english');
      const given = { ...facts, status: 'accepted' };
      const write = (isCountingReported: boolean) =>
        renderMessage(channel, { ...given, isCountingReported }, office, t, 'english').body;
      expect(write(true)).toContain("It hasn't been counted yet.");
      expect(write(false)).not.toContain('counted');
    }
  });

  test('a mailed ballot comes with the days on which the office expects it, but in a text', () => {
    for (const language of messageLanguages())
      for (const channel of channels) {
        const { t } = messageTranslate(language);
        const given = { ...facts, status: 'sent', expectedOn: '2026-10-09' };
        const { body, gaps } = renderMessage(channel, given, office, t, language);
        expect(gaps).toEqual([]);
        const { weekday } = formatsFor(language, 'America/New_York');
        const days = ['2026-10-09', '2026-10-11'].map((day) => weekday(day));
        for (const day of days) expect(body.includes(day)).toBe(channel !== 'sms');
        // Once it is back, nobody waits for it.
        const back = renderMessage(channel, { ...given, status: 'returned' }, office, t, language);
        for (const day of days) expect(back.body).not.toContain(day);
      }
  });

  test('a text in English or Spanish fits one segment, two at most where it must say whom to call', () => {
    const sizes: Record<string, number> = {};
    for (const language of ['english', 'spanish'] as const)
      for (const about of [...ballotStatuses, ...replies]) {
        const { body } = isBallotStatus(about)
          ? render('sms', 'status', about, language)
          : render('sms', about, null, language);
        expect(measureSms(body).encoding, body).toBe('GSM-7');
        sizes[`${language} ${about}`] = measureSms(body).segments;
      }
    const long = Object.keys(sizes).filter((name) => (sizes[name] ?? 0) > 1);
    expect(Math.max(...Object.values(sizes))).toBeLessThanOrEqual(2);
    expect(
      long.filter(
        (name) => !/ (in-person|rejected|rejected-curable|cancelled|correction)$/.test(name),
      ),
    ).toEqual([]);
  });

  test('the code at its end costs no text another segment, in any language', () => {
    for (const language of messageLanguages())
      for (const about of [...ballotStatuses, ...replies]) {
        const { t } = messageTranslate(language);
        const of = isBallotStatus(about)
          ? { about: 'status' as const, status: about }
          : { about, status: null };
        const { body } = renderMessage('sms', { ...facts, ...of }, office, t, language);
        const code = ` ${facts.code}`;
        expect(body.endsWith(code), body).toBe(true);
        const without = measureSms(body.slice(0, -code.length)).segments;
        expect(measureSms(body).segments, `${language}: ${body}`).toBe(without);
      }
  });

  test('a mail shows the code in two parts and where to check it; a call spells it before goodbye', () => {
    for (const language of messageLanguages()) {
      const { t } = messageTranslate(language);
      const mail = renderMessage('email', facts, office, t, language);
      expect(mail.body.trimEnd().split('\n').at(-1)).toContain('7K3M-9QX2');
      expect(mail.html).toContain('https://adams.beacon.example/voter/verify');
      const call = renderMessage('voice', facts, office, t, language).body.split('\n');
      expect(call.at(-2)).toContain('7, K, 3, M, 9, Q, X, 2');
    }
  });

  test('the question, the confirmation and the help text name the office, frequency, rates, HELP and STOP', () => {
    for (const language of ['english', 'spanish'] as const) {
      for (const about of ['opt-in', 'confirmed', 'help'] as const) {
        const { body } = render('sms', about, null, language);
        for (const required of [/Adams County Elections/, /2-5/, /rates|tarifas/, /STOP/])
          expect(body).toMatch(required);
      }
      expect(render('sms', 'opt-in', null, language).body).toMatch(/YES|SI/);
      expect(render('sms', 'opt-in', null, language).body).toMatch(/HELP/);
      expect(render('sms', 'confirmed', null, language).body).toMatch(/HELP/);
      expect(render('sms', 'help', null, language).body).toContain(office.phone);
      expect(render('sms', 'stopped', null, language).body).toMatch(/START/);
    }
  });

  test('every reply that a text asks for is understood, in every language', () => {
    for (const language of messageLanguages()) {
      const { t } = messageTranslate(language);
      const { body } = renderMessage('sms', { ...facts, about: 'opt-in' }, office, t, language);
      // Some scripts set no spaces around the Latin words.
      const asked = [...body.split(/[\s,.;:!?]+/), ...(body.match(/[A-Z]+/g) ?? [])];
      const heard = asked.map((word) => readKeyword(word));
      for (const keyword of ['yes', 'stop', 'help'])
        expect(heard, `${language}: ${body}`).toContain(keyword);
    }
  });

  test('every alert by text says how to end them', () => {
    for (const language of ['english', 'spanish'] as const)
      for (const status of ballotStatuses)
        expect(render('sms', 'status', status, language).body).toMatch(/STOP/);
  });

  test('a call first says who is calling, and then how to stop the calls', () => {
    for (const language of ['english', 'spanish'] as const) {
      const [first] = render('voice', 'status', 'sent', language).body.split('\n');
      expect(first).toMatch(/Adams County Elections.*9/);
    }
  });

  test('a mail says what it means, what to do, by when and whom to call', () => {
    const { subject, body, html } = render('email', 'status', 'undeliverable', 'english');
    expect(subject).toBe('Your ballot couldn’t be delivered');
    for (const needed of [
      '2026 General Election',
      '11/3/26',
      '(555) 555-0100',
      'unsubscribe?key=k',
    ])
      expect(body).toContain(needed);
    expect(html).toContain('lang="en-US"');
    expect(html).toContain('unsubscribe?key=k&amp;email=e');
  });

  test('a blank value is reported as a gap', () => {
    const { t } = messageTranslate('english');
    const blank = renderMessage('email', { ...facts, election: ' ' }, office, t, 'english');
    expect(blank.gaps).toEqual(['{{election}}']);
    const noText = renderMessage(
      'sms',
      { ...facts, status: 'no-such-status' },
      office,
      t,
      'english',
    );
    expect(noText.gaps).toEqual(['sms.no-such-status']);
  });

  test("an office's own words replace the shipped ones", () => {
    const { t } = messageTranslate('english', { 'sms.sent': 'Mailed, {{name}}! {{url}}' });
    expect(renderMessage('sms', facts, office, t, 'english').body).toBe(
      'Mailed, Josephine! https://adams.beacon.example/voter 7K3M9QX2',
    );
  });

  test('a name cannot smuggle markup into a mail', () => {
    const { t } = messageTranslate('english');
    const { html } = renderMessage('email', { ...facts, name: '<script>&"' }, office, t, 'english');
    expect(html).toContain('&lt;script&gt;&amp;&quot;');
  });

  test('a message in a language without texts is entirely in English', () => {
    const unknown = 'klingon' as Language;
    const { t, language } = messageTranslate(unknown, { 'sms.sent': 'Half a language' });
    expect(language).toBe('english');
    expect(t('sms.sent')).toBe(messageTranslate('english').t('sms.sent'));
  });
});

describe('a mail to an address that is not proven, or not in use any more', () => {
  test.each(['welcome', 'news-waiting', 'change', 'registered'] as const)(
    'names no voter, election or status: %s, in every language',
    (about) => {
      for (const language of messageLanguages()) {
        const { t } = messageTranslate(language);
        const given = {
          ...facts,
          about,
          status: null,
          name: 'Josephine',
          election: 'General Election',
        };
        const mail = renderMessage('email', given, office, t, language);
        expect(mail.gaps, language).toEqual([]);
        expect(`${mail.subject} ${mail.body} ${mail.html}`, language).not.toMatch(
          /Josephine|General Election|2026-11-03|11\/0?3/,
        );
        // Who gets no more news, or never asked for any, is not said to have signed up, and has nothing to change.
        const isNotice = about === 'change' || about === 'registered';
        const isSaid = (text: string) => [mail.body, mail.html].map((one) => one?.includes(text));
        for (const text of [t('mail.why', { office: office.office }), `${office.url}/preferences`])
          expect(isSaid(text), language).toEqual([!isNotice, !isNotice]);
      }
    },
  );

  test('a call about a first sign-up is complete in every language, and names nobody', () => {
    for (const language of messageLanguages()) {
      const { t } = messageTranslate(language);
      const call = renderMessage(
        'voice',
        { ...facts, about: 'registered', status: null },
        office,
        t,
        language,
      );
      expect(call.gaps, language).toEqual([]);
      expect(call.body).not.toContain(facts.name);
    }
  });
});
