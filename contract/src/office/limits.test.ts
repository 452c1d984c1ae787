import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { PreferencesPatch } from '../voter-information.ts';
import { ColorChange } from './appearance.ts';
import { ElectionChange } from './elections.ts';
import { Decision } from './files.ts';
import { LogQuery } from './log.ts';
import { SessionsEnd } from './misuse.ts';
import { codeOfCommandSession, NewInvitation, RolesChange } from './people.ts';
import { roleNames } from './roles.ts';
import { NewUpload, UploadDecision } from './uploads.ts';
import { CallNote, VoterParams, VoterSearch } from './voters.ts';
import { DraftWords } from './words.ts';

const letters = (count: number) => 'x'.repeat(count);
const invitation = { name: 'Ann Lee', roles: ['clerk'] };
const upload = { file_name: 'voters.csv', size: 1 };
const deadline = { rule: 'received', date: '2026-11-03', time: '19:00', place: '' };

/** Each with all of a body, what of it is right at its limits, and what is wrong just beyond, by the message. */
test.each<[string, z.core.$ZodType, object, readonly object[], Record<string, readonly object[]>]>([
  [
    'a person who is invited',
    NewInvitation,
    invitation,
    [{ name: letters(100) }, { roles: roleNames }],
    {
      'Type a name.': [{ name: '' }, { name: ' ' }],
      'Use at most 100 letters.': [{ name: letters(101) }],
      'Choose at least one role.': [{ roles: [] }],
    },
  ],
  [
    'the roles of a person',
    RolesChange,
    {},
    [{ roles: roleNames }],
    { 'Choose at least one role.': [{ roles: [] }] },
  ],
  [
    'a note of a call',
    CallNote,
    {},
    [{ text: letters(500) }],
    {
      'Type a note.': [{ text: ' ' }],
      'Use at most 500 letters.': [{ text: letters(501) }],
    },
  ],
  [
    'a search for voters',
    VoterSearch,
    { text: 'Li' },
    [{ text: letters(200) }],
    {
      'Type at least two letters or digits.': [{ text: ' L ' }],
      'Use at most 200 letters.': [{ text: letters(201) }],
    },
  ],
  [
    'a decision about a file',
    Decision,
    {},
    [{ reason: 'bad' }, { reason: letters(1000) }],
    {
      'Write the reason, for the record.': [{ reason: '' }, { reason: ' no ' }],
      'Use at most 1,000 letters.': [{ reason: letters(1001) }],
    },
  ],
  [
    'a file that somebody else shall approve',
    UploadDecision,
    { check: 1 },
    [{ ask_because: letters(1000) }],
    {
      'Write what the second person should check.': [{ ask_because: 'ok' }],
      'Use at most 1,000 letters.': [{ ask_because: letters(1001) }],
    },
  ],
  [
    'a file that is uploaded',
    NewUpload,
    upload,
    [{ file_name: letters(200) }, { file_name: 'Wähler 2026.csv' }, { size: 4 * 1024 ** 3 }],
    {
      'Use a file name of at most 200 letters.': [{ file_name: letters(201) }],
      'Use a file name without slashes.': [
        ...[{ file_name: 'a/b.csv' }, { file_name: 'a\\b.csv' }, { file_name: 'a\nb.csv' }],
      ],
      'The file is empty. Export it again, and check that the export has finished.': [{ size: 0 }],
      'The file is larger than 4 GB. Pack it as zip or gz, or export it in parts.': [
        { size: 4 * 1024 ** 3 + 1 },
      ],
    },
  ],
  [
    'the end of all sessions',
    SessionsEnd,
    {},
    [{ reason: letters(500) }],
    {
      'Write why, for the log.': [{ reason: ' ' }],
      'Use at most 500 letters.': [{ reason: letters(501) }],
    },
  ],
  [
    'an election',
    ElectionChange,
    {},
    [
      { number: letters(60) },
      { name: letters(200) },
      { election_date: '2099-12-31' },
      ...['00:00', '23:59', null].map((time) => ({ return_deadline: { ...deadline, time } })),
      { return_deadline: { ...deadline, place: letters(200) } },
    ],
    {
      'Use at most 60 letters and digits.': [{ number: letters(61) }],
      'Use at most 200 letters and digits.': [{ name: letters(201) }],
      'Choose a day.': [{ election_date: '2026-02-30' }, { election_date: '1026-11-03' }],
      'Choose a time.': ['24:00', '19:60', '7:00'].map((time) => ({
        return_deadline: { ...deadline, time },
      })),
      'Use at most 200 letters.': [{ return_deadline: { ...deadline, place: letters(201) } }],
    },
  ],
  [
    'a color of the page',
    ColorChange,
    { from: '#000000' },
    [{ to: '#1f5fa8' }, { to: '#1F5FA8' }],
    {
      'Use # and six digits or letters a to f, such as #1f5fa8.': [
        ...['#1f5', '1f5fa8', '#1f5fag', '#1f5fa800', '#1f5fa8;'].map((to) => ({ to })),
      ],
    },
  ],
  [
    'an office’s own words',
    DraftWords,
    { title: '', body: '' },
    [{ title: letters(200) }],
    { 'Use at most 200 characters.': [{ title: letters(201) }] },
  ],
  [
    'a look into the log',
    LogQuery,
    {},
    [{ from: '1999-12-31', to: '2099-12-31' }, { before: '9007199254740991' }],
    { 'Write a day as YYYY-MM-DD.': [{ from: '0999-01-01' }, { to: '2026-11-31' }] },
  ],
])(
  '%s is taken up to its limits, and refused with their words beyond',
  (_, schema, whole, right, wrong) => {
    const messages = (part: object) => {
      const parsed = z.safeParse(schema, { ...whole, ...part });
      return parsed.error?.issues.map(({ message }) => message) ?? [];
    };
    for (const part of right) expect(messages(part), JSON.stringify(part)).toEqual([]);
    for (const [message, parts] of Object.entries(wrong))
      for (const part of parts) expect(messages(part), JSON.stringify(part)).toEqual([message]);
  },
);

test('a sign-in of the command line shows the first eight letters of its hash', () => {
  expect(codeOfCommandSession(`0f1e2d3c${'a'.repeat(56)}`)).toBe('0F1E-2D3C');
});

test('the number of a row is whole, from 1 on, and read without loss', () => {
  const isRight = (voter_id: string) => VoterParams.safeParse({ voter_id }).success;
  expect(['1', '9007199254740991'].map(isRight)).toEqual([true, true]);
  expect(['0', '-1', '1.5', 'x', '9007199254740993', '1e300'].map(isRight)).toEqual(
    Array(6).fill(false),
  );
});

test('voters’ addresses and numbers are taken as long as they may be', () => {
  const isRight = (patch: object) => PreferencesPatch.safeParse(patch).success;
  const email = `${letters(64)}@${letters(185)}.com`;
  expect(email).toHaveLength(254);
  expect([email, `x${email}`].map((one) => isRight({ email: one }))).toEqual([true, false]);
  for (const phone_sms of ['+1 (509) 555-0142 ext. 12', letters(40)])
    expect(isRight({ phone_sms }), phone_sms).toBe(true);
  expect(isRight({ phone_sms: letters(41) })).toBe(false);
});
