import { beforeAll, describe, expect, test } from 'vitest';
import { openPage, wordsOf } from './read-page.tsx';

/** How and when a voter is reached, as the page shows it before anything is changed. */

const open = (shown: Parameters<typeof openPage>[2]) => openPage('preferences', [], shown);
beforeAll(async () => {
  await open({});
}, 60_000);

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
