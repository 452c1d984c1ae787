import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { isLanguage, languages } from '../../contract/src/languages.ts';
import { findFaults, narrow, wide } from './sound.ts';

/** Turns the page, in the state it is in, to each language that the office offers, at two widths. */
export async function expectSoundInEveryLanguage(page: Page): Promise<void> {
  // What an interrupted connection left on the page stays; the texts have to be fetched.
  await page.context().setOffline(false);
  const entries = page.locator('.language-list a');
  const offered = await entries.evaluateAll((links) =>
    links.map((link) => new URLSearchParams(link.getAttribute('href') ?? '').get('language') ?? ''),
  );
  const faults = new Map<string, string[]>();
  let sizes = [narrow, wide];
  for (const language of offered.length > 0 ? offered.filter(isLanguage) : ['english' as const]) {
    // Not by pointer: the menu may be closed, or behind a dialog.
    const entry = page.locator(`.language-list a[href="?language=${language}"]`);
    if (offered.length > 0) await entry.evaluate((link: HTMLElement) => link.click());
    await expect(page.locator('html')).toHaveAttribute('lang', languages[language].tag);
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
