import { beforeAll, describe, expect, test } from 'vitest';
import { openPage, wordsOf } from './read-page.tsx';

/** What surrounds every page: whose it is, its languages, whom to ask. */

type Shown = Parameters<typeof openPage>[2];
const open = (shown?: Shown) => openPage('privacy', null, shown);
beforeAll(async () => {
  await open();
}, 60_000);

const part = (html: string, pattern: RegExp) => wordsOf(pattern.exec(html)?.[0] ?? '').trim();

describe.each([
  ['an office', {}, 'Harbor County Supervisor of Elections', true],
  ['no office', { account_id: -1, name: 'Voter' }, 'Ballot Beacon', false],
] as const)('the page of %s', (_, office, name, isOffice) => {
  test('says whose it is, at its head and where it offers help', async () => {
    const html = await open({ office });
    const home = part(html, /<span class="top-bar-name">[\s\S]*?<\/a>/);
    expect(home).toBe(isOffice ? `${name} Ballot Beacon` : name);
    expect(part(html, /<section class="support"[\s\S]*?<\/section>/)).toContain(
      `contact ${name} at`,
    );
  });

  test('leads to where that can be checked', async () => {
    const url = 'https://harbor.example';
    const html = await open({ office: { ...office, url } });
    const [mark = ''] = /<details class="trust">[\s\S]*?<\/details>/.exec(html) ?? [];
    expect(wordsOf(mark)).toContain(
      isOffice
        ? `Official ballot tracker of ${name}`
        : 'Official ballot tracker of your election office',
    );
    expect(mark).toContain(`href="${isOffice ? url : 'https://locator.example'}"`);
  });
});

test('each language is offered in its own words and direction, and the present one is marked', async () => {
  const languages = ['english', 'arabic'].map((language) => ({ language }));
  const html = await open({ office: { languages } });
  const links = [...html.matchAll(/<a href="\?language=(\w+)"([^>]*)>/g)];
  expect(links.map(([, name, traits = '']) => [name, traits.trim()])).toEqual([
    ['english', 'lang="en-US" dir="ltr" hrefLang="en-US" aria-current="true"'],
    ['arabic', 'lang="ar-SA" dir="rtl" hrefLang="ar-SA"'],
  ]);
});

test('where there is one language there is nothing to choose', async () => {
  expect(await open({ office: { languages: [{ language: 'english' }] } })).not.toContain(
    'class="language-menu"',
  );
});

test.each([
  [true, false],
  [false, true],
])(
  'a language whose review is %s says that it was not reviewed: %s',
  async (isReviewed, isSaid) => {
    expect((await open({ isReviewed })).includes('class="footer-unreviewed"')).toBe(isSaid);
  },
);

describe('the details of a voter', () => {
  const read = async (shown: Shown) => {
    const html = await openPage('preferences', [], shown);
    return part(html, /<section class="profile-panel"[\s\S]*?<\/section>/);
  };

  test('are all parts of the name and of the address, and how to reach the office', async () => {
    const words = await read({ voter: { suffix: 'Jr.', state: 'FL' } });
    expect(words).toMatch(/Name Margaret Ruth Whitfield Jr\. Address 214 Harbor View Drive City/);
    expect(words).toMatch(/Port Addison State FL ZIP code 34811 Contact Harbor County/);
    expect(words).toContain('(850) 555-0100');
    expect(words).toContain('ballots@ harbor-county.example');
  });

  test('leave out what is not known', async () => {
    const voter = { middlename: '', address: '', city: '' };
    const words = await read({ voter, office: { contact_phone: '' } });
    expect(words).toMatch(/Name Margaret Whitfield State FL ZIP code/);
    expect(words).toContain('ballots@ harbor-county.example');
  });

  test('offer no previous ballots before it is known that there are any', async () => {
    expect(await read({})).not.toContain('Previous');
  });
});

test.each([
  [{ voterOutage: true }, true],
  [{}, false],
])('with the flags %j the login apologizes for high traffic: %s', async (flags, isSaid) => {
  expect((await openPage('login', null, { flags })).includes('class="outage"')).toBe(isSaid);
});

test.each([
  [null, false],
  ['/logo.png', true],
])('an office whose picture is %j shows it on the login: %s', async (logo_url, isShown) => {
  const html = await openPage('login', null, { office: { logo_url } });
  expect(html.includes('class="hero-logo"')).toBe(isShown);
});
