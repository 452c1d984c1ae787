import { type Language, languageNames, languages } from '../../contract/src/languages.ts';
import { cast } from '../../demo/cast.ts';
import { expect, once, test } from '../fixtures.ts';
import { openOffice } from '../office.ts';
import { comeFromElsewhere, open, signIn } from '../sign-in.ts';
import { expectSound, inLanguage, narrow, readTexts } from './sound.ts';

/** One of each way to write: right to left, without spaces, ideographs, long words, marks above and below. */
const looked: readonly Language[] = ['arabic', 'khmer', 'chinese', 'german', 'vietnamese'];

/** The elements are the same in every language: they are judged in the first, the words in all. */
const rulesFor = (language: Language) => (language === looked[0] ? 'all' : 'of words');

test.beforeEach(async ({ page, isMobile }) => {
  test.slow();
  await comeFromElsewhere(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (isMobile) await page.setViewportSize(narrow);
});

test('the sign-in can be read and used by everybody, as it comes in each language', async ({
  page,
}) => {
  for (const language of languageNames) {
    await open(page, inLanguage('/voter', language));
    await expectSound(page, language, rulesFor(language));
  }
});

test('ballots and preferences can be read and used by everybody, whatever the script', async ({
  page,
  baseURL,
}) => {
  await signIn(page, cast.pastOnly, baseURL);
  for (const language of looked)
    for (const screen of ['dashboard', 'preferences']) {
      await open(page, inLanguage(`/voter/${screen}`, language));
      await expectSound(page, language, rulesFor(language));
    }
});

test(
  'what an office wrote in English reads from the left, on an Arabic page too',
  once,
  async ({ page, baseURL }) => {
    const note = { release_note_id: 1, published_datetime: '2026-10-12T15:00:00Z' };
    await page.route('**/api/voter/release-note**', (route) =>
      route.fulfill({
        json: {
          _embedded: { release_note: [{ ...note, release_note: '<p>News, at last.</p>' }] },
          _links: {},
          page: 1,
          page_count: 1,
          page_size: 5,
          total_items: 1,
        },
      }),
    );
    await signIn(page, cast.sent, baseURL);
    await open(page, inLanguage('/voter/dashboard', 'arabic'));
    await page.locator('footer').getByText('ما الجديد').click();
    const isFromLeft = (text: string | RegExp) =>
      page
        .getByRole('dialog')
        .getByText(text)
        .evaluate((element) => getComputedStyle(element).direction === 'ltr');
    expect(await isFromLeft('News, at last.')).toBe(true);
    expect(await isFromLeft(/أكتوبر/)).toBe(false);
  },
);

test(
  'questions that an office wrote in English alone read from the left on an Arabic page, apart from each other',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL, { languages: ['english', 'arabic'] });
    const file = office.write('faq.html', '<h2>Where are you?</h2><p>2 Harbor Street.</p>');
    await office.beacon(
      ...['faq', 'set', '--account', office.subdomain, '--language', 'english', '--file', file],
    );
    await open(page, `${office.url}${inLanguage('/voter/faq', 'arabic')}`);
    const answer = page.getByText('2 Harbor Street.');
    expect(await answer.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr');
    const [above, below] = [
      await page.getByText('Where are you?').boundingBox(),
      await answer.boundingBox(),
    ];
    expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeGreaterThan(8);
    office.close();
  },
);

test('letters twice as large still fit, whatever the script', async ({
  page,
  baseURL,
  isMobile,
}) => {
  if (isMobile) await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, cast.reprinted, baseURL);
  for (const language of ['arabic', 'khmer', 'german'] as const) {
    await open(page, inLanguage('/voter/dashboard', language));
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    await page.locator('.timeline summary').click();
    await expectSound(page, language, rulesFor(language));
  }
});

test('without JavaScript the page says what it needs in the voter’s language, with the office’s number', async ({
  request,
}) => {
  for (const language of languageNames) {
    const page = await (await request.get(inLanguage('/voter', language))).text();
    const { 'app.noScript.title': title = '' } = readTexts(language);
    expect(/<noscript>(.*?)<\/noscript>/s.exec(page)?.[1]).toContain(title);
    expect(/<noscript>(.*?)<\/noscript>/s.exec(page)?.[1]).toContain('(850) 555-0100');
  }
});

test('all languages of the office can be reached by keyboard in a menu that fits the screen', async ({
  page,
}) => {
  await open(page, '/voter');
  await page.locator('.language-menu summary').focus();
  await page.keyboard.press('Enter');
  const entries = page.locator('.language-list a');
  await expect(entries).toHaveCount(languageNames.length);
  await expectSound(page, 'english');
  for (let entry = 0; entry < languageNames.length; entry++) {
    await page.keyboard.press('Tab');
    await expect(entries.nth(entry)).toBeFocused();
    await expect(entries.nth(entry)).toBeInViewport({ ratio: 1 });
  }
  await page.getByRole('link', { name: languages.arabic.ownName }).press('Enter');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('.language-list')).toBeHidden();
  await expect(page.locator('.language-menu summary')).toBeFocused();
});
