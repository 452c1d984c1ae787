import { languageNames } from '../contract/src/languages.ts';
import { cast } from '../demo/cast.ts';
import { findBadLayout } from './access/layout.ts';
import { inLanguage, narrow } from './access/sound.ts';
import { expect, once, test } from './fixtures.ts';
import { openOffice } from './office.ts';
import { comeFromElsewhere, open, signIn } from './sign-in.ts';
import { enter, savePreferences } from './voter-steps.ts';

/** Runs in the page: words that stand on more than one line. An address may break where it says that it can. */
function findBrokenWords(): string[] {
  const found = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const unseen =
      '.visually-hidden, .skip-links, .together-if-room, script, style, noscript, template, option';
    if (!element?.checkVisibility() || element.closest(unseen)) continue;
    // A line may end after a hyphen, a dash or a slash.
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[^\s\-–—/]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const pieces = [...range.getClientRects()].filter(({ width }) => width > 0);
      const tops = new Set(pieces.map(({ top }) => Math.round(top)));
      if (tops.size > 1) found.add(`broken: ${word}`);
    }
  }
  return [...found];
}

test('text of twice the size, on a narrow phone and on a computer, is not cut, breaks no word and never scrolls sideways', async ({
  page,
  baseURL,
  isMobile,
}) => {
  test.slow();
  await comeFromElsewhere(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (isMobile) await page.setViewportSize({ width: 320, height: 640 });
  const faults = new Map<string, string[]>();
  const look = async (where: string) => {
    await page.evaluate(async () => {
      document.documentElement.style.fontSize = '200%';
      // For who wants no motion each change still takes a hundredth of a millisecond: it is there with the next frame.
      for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    });
    for (const finder of [findBadLayout, findBrokenWords])
      for (const fault of await page.evaluate(finder))
        faults.set(fault, [...(faults.get(fault) ?? []), where]);
  };
  for (const path of ['', '/privacy', '/faq', '/sms-policy', '/accessibility', '/unsubscribe'])
    for (const language of ['english', 'spanish']) {
      await open(page, `/voter${path}?language=${language}`);
      await look(`${path} ${language}`);
    }
  for (const member of ['sent', 'accepted', 'rejectedCurable', 'undeliverable'] as const) {
    await signIn(page, cast[member], baseURL, '/voter/dashboard?language=english');
    await look(`dashboard of ${member}`);
  }
  await open(page, '/voter/dashboard?language=spanish');
  await look('dashboard spanish');
  await open(page, '/voter/preferences?language=english');
  await look('preferences');
  await page.locator('.trust summary').click();
  await page.locator('.language-menu summary').click();
  await look('opened menus');
  expect([...faults].map(([fault, where]) => `${fault} (${where.join(', ')})`)).toEqual([]);
});

test(
  'no page before signing in scrolls sideways in German, whose words are long, at twice the size',
  once,
  async ({ page }) => {
    await comeFromElsewhere(page);
    for (const path of ['', '/letter', '/verify', '/performance']) {
      await open(page, `/voter${path}?language=german`);
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
      const { width } = page.viewportSize() ?? { width: 0 };
      const shown = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([path, shown]).toEqual([path, width]);
    }
  },
);

/** Runs in the page: makes its text twice as large. */
const enlarge = () => document.documentElement.style.setProperty('font-size', '200%');

test(
  'in every language text of twice the size stays on the narrowest phone, with an envelope to fix and in the preferences',
  once,
  async ({ page, baseURL }) => {
    test.slow();
    await comeFromElsewhere(page);
    await page.setViewportSize(narrow);
    await signIn(page, cast.rejectedCurable, baseURL);
    const faults: string[] = [];
    for (const screen of ['dashboard', 'preferences'])
      for (const language of languageNames) {
        await open(page, inLanguage(`/voter/${screen}`, language));
        await page.evaluate(enlarge);
        const found = await page.evaluate(findBadLayout);
        // A list breaks the name of a language that is wider than itself, and shows all of it.
        const real = found.filter((fault) => !fault.startsWith('cut in its list'));
        faults.push(...real.map((fault) => `${screen} ${language}: ${fault}`));
      }
    expect(faults).toEqual([]);
  },
);

test(
  'where an office hides contact details, text of twice the size leaves a long address on its button',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL, { contact_proof: 'masked' });
    await enter(page, office);
    await savePreferences(page, { email: 'ines@longer-example.com', email_opt_in: true });
    await page.setViewportSize(narrow);
    await open(page, `${office.url}/voter/preferences`);
    await expect(page.getByRole('button', { name: 'i•••@longer-example.com' })).toBeVisible();
    await page.evaluate(enlarge);
    expect(await page.evaluate(findBadLayout)).toEqual([]);
    office.close();
  },
);
