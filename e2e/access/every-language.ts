import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { isLanguage, languages } from '../../contract/src/languages.ts';
import { findFaults, narrow, wide } from './sound.ts';

/**
 * Turns the page, in the state it is in, to each language that the office offers, at two widths.
 *
 * @param renew what has to be done again, because choosing a language ends it: an open menu.
 */
export async function expectSoundInEveryLanguage(
  page: Page,
  renew: () => Promise<unknown> = async () => {},
): Promise<void> {
  // What an interrupted connection left on the page stays; the texts have to be fetched.
  await page.context().setOffline(false);
  const entries = page.locator('.language-list a');
  const offered = await entries.evaluateAll((links) =>
    links.map((link) => new URLSearchParams(link.getAttribute('href') ?? '').get('language') ?? ''),
  );
  const faults = new Map<string, string[]>();
  const state = await page.evaluate(describeState);
  let sizes = [narrow, wide];
  for (const language of offered.length > 0 ? offered.filter(isLanguage) : ['english' as const]) {
    // Not by pointer: the menu may be closed, or behind a dialog.
    const entry = page.locator(`.language-list a[href="?language=${language}"]`);
    if (offered.length > 0) await entry.evaluate((link: HTMLElement) => link.click());
    await expect(page.locator('html')).toHaveAttribute('lang', languages[language].tag);
    await renew();
    await expect.poll(() => page.evaluate(describeState), `the state in ${language}`).toBe(state);
    for (const size of sizes) {
      await page.setViewportSize(size);
      for (const fault of await findFaults(page, language))
        faults.set(fault, [...(faults.get(fault) ?? []), `${language} ${size.width}`]);
    }
    // The next language begins at the width where this one ended.
    sizes = sizes.toReversed();
  }
  expect([...faults].map(([fault, where]) => `${fault} (${where.join(', ')})`)).toEqual([]);
}

/** Runs in the page: what is open, wrong, busy or said, without its words. A change of language must leave it. */
function describeState(): string {
  const marks = [
    'dialog[open]',
    'details[open]',
    '.profile-panel',
    '.alert',
    '.error-summary',
    '.field-error',
    '.loading',
    '[data-busy]',
    '.ballot',
    '.no-ballot',
    'form',
  ];
  const count = (mark: string) =>
    [...document.querySelectorAll(mark)].filter(
      (element) => element.checkVisibility() && element.textContent?.trim(),
    ).length;
  return marks.map((mark) => `${mark} ${count(mark)}`).join(', ');
}
