import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { beforeAll, describe, expect, test } from 'vitest';
import { ballotWith, readTexts } from './fixtures.ts';
import { openPage, wordsOf } from './read-page.tsx';

/** How and when a voter is reached, as the page shows it before anything is changed. */

const open = (shown: Parameters<typeof openPage>[2]) => openPage('preferences', [], shown);
beforeAll(async () => {
  await open({});
}, 60_000);

describe('what is known of an address', () => {
  const knownIn = (html: string) =>
    [...html.matchAll(/id="field-(\w+)-status"><p [^>]*data-look="(\w+)">([\s\S]*?)<\/p>/g)].map(
      ([, channel, look, words = '']) => `${channel} ${look}: ${wordsOf(words).trim()}`,
    );
  const email = 'ines@example.com';
  const [mobile, phone] = ['3525550144', '3525550155'];
  const confirmed = (channel: string) => `${channel} good: Confirmed`;

  test.each<[Partial<VoterInformation>, string[]]>([
    [{}, []],
    [{ email, is_valid_email: true }, [confirmed('email')]],
    [{ email, is_valid_email: null }, [expect.stringMatching(/^email waiting: Not confirmed yet/)]],
    [{ email, is_valid_email: false }, [expect.stringMatching(/^email bad: Our emails don't/)]],
    [{ phone_sms: mobile, phone_voice: phone, sms_status: 'none' }, [confirmed('voice')]],
    [{ phone_sms: mobile, sms_status: 'active' }, [confirmed('sms')]],
    [
      { phone_sms: mobile, sms_status: 'pending' },
      ['sms waiting: Not confirmed yet. Reply YES to 41575 to start texts.'],
    ],
    [
      { phone_sms: mobile, sms_status: 'opted-out' },
      [expect.stringMatching(/^sms bad: Texts to this number are stopped. Text START to 41575/)],
    ],
    [{ pending_voice: phone, voice_opt_in: false }, []],
    [
      { pending_voice: phone, phone_voice: mobile, voice_opt_in: true },
      [expect.stringMatching(/^voice waiting: Not confirmed yet. Call \(850\) 555-0142 /)],
    ],
  ])('of a voter with %j', async (voter, known) => {
    expect(knownIn(await open({ voter }))).toEqual(known);
  });
});

test.each<[Partial<VoterInformation>, boolean]>([
  [{}, false],
  [{ email: 'ines@example.com' }, true],
  [{ email_opt_in: true }, true],
])('an address of a voter with %j can be emptied or opted out: %s', async (voter, canClear) => {
  const html = await open({ voter });
  expect(html.includes('aria-label="Clear the email address and opt out"')).toBe(canClear);
});

test('each way in which the office sends news has its field, to which the keyboard can go at once', async () => {
  const html = await open({ offered: ['sms', 'voice'] });
  const fields = [...html.matchAll(/<input [^>]*name="(\w+)-opt-in"/g)].map(([, way]) => way);
  expect(fields).toEqual(['sms', 'voice']);
  expect(html).toContain('<a href="#field-sms">');
});

test.each([
  ['+18505550142', true],
  [null, false],
])('an office whose calls come from %j offers them: %s', async (from_voice, isOffered) => {
  const html = await open({ office: { from_voice } });
  expect(html.includes('name="voice-opt-in"')).toBe(isOffered);
});

test.each([
  [true, 'Update'],
  [false, 'CONFIRM'],
])(
  'a voter whose choices were saved before, %s, finds the button %j',
  async (is_confirmed, label) => {
    const html = await open({ voter: { is_confirmed } });
    const [, button = ''] =
      /<div class="preferences-buttons"><button [^>]*>([\s\S]*?)<\/button>/.exec(html) ?? [];
    expect(wordsOf(button).trim()).toBe(label);
  },
);

test.each([
  [true, false],
  [false, true],
])(
  'a voter whose choices were saved before, %s, finds the ballot above the form: %s',
  async (is_confirmed, isAbove) => {
    const ballots = [ballotWith('sent', await readTexts('english'))];
    const html = await openPage('preferences', ballots, { voter: { is_confirmed } });
    expect(html.includes('id="first-visit-title"')).toBe(isAbove);
  },
);

describe('the hours', () => {
  const noteOf = (html: string) =>
    wordsOf(/<p [^>]*id="hours-note"[^>]*>[\s\S]*?<\/p>/.exec(html)?.[0] ?? '').trim();
  const hours = (before: string | null, after: string | null) => ({
    sms_do_not_contact_before: before,
    sms_do_not_contact_after: after,
  });

  test.each([
    ['21:00', '07:00', 'This is overnight, from 9:00 PM until 7:00 AM the next day.'],
    ['09:00', '17:00', "Times are in your election office's time zone."],
    [null, null, "Times are in your election office's time zone."],
  ])('from %s until %s are explained: %s', async (before, after, note) => {
    expect(noteOf(await open({ voter: hours(before, after) }))).toBe(note);
  });
});

test.each([
  [['english'], false],
  [['english', 'spanish'], true],
] as const)('of %j a voter can choose one: %s', async (offered, isOffered) => {
  const office = { languages: offered.map((language) => ({ language })) };
  expect((await open({ office })).includes('name="languagePreference"')).toBe(isOffered);
});

test.each([
  [['email'], ['email']],
  [
    ['sms', 'voice'],
    ['sms', 'voice'],
  ],
  [[], []],
] as const)(
  'where addresses are hidden and codes go to %j, a voter can ask for one at: %j',
  async (code_channels, asked) => {
    const voter = { email: 'i•••@example.com', phone_sms: '•••-0144', phone_voice: '•••-0155' };
    const hidden_contacts = { code_channels: [...code_channels] };
    const words = wordsOf(await open({ voter: { ...voter, hidden_contacts } }));
    const found = ['Email a code to', 'Text a code to', 'with a code'].map((part) =>
      words.includes(part),
    );
    expect(found).toEqual(['email', 'sms', 'voice'].map((one) => asked.some((way) => way === one)));
  },
);

test.each([
  ['english', 'Sent, Nov 18'],
  ['arabic', '، 18 نوفمبر 2026'],
  ['japanese', ' 2026年11月18日'],
] as const)(
  'at a first visit in %s the status and its day stand apart as the language has it: %j',
  async (language, said) => {
    const html = await openPage('preferences', [ballotWith('sent', await readTexts(language))], {
      ...{ language, voter: { is_confirmed: false } },
    });
    const [strip = ''] = /<section class="first-visit[\s\S]*?<\/section>/.exec(html) ?? [];
    expect(strip.replaceAll(/<[^>]*>/g, '')).toContain(said);
  },
);
