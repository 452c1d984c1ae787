import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { isLanguage, languages } from '../../contract/src/languages.ts';
import { expectSound, narrow, wide } from './sound.ts';

/** Turns the page, in the state it is in, to each language that the office offers, at two widths. */
export async function expectSoundInEveryLanguage(page: Page): Promise<void> {
  // What an interrupted connection left on the page stays; the texts have to be fetched.
  await page.context().setOffline(false);
  const entries = page.locator('.language-list a');
  const offered = await entries.evaluateAll((links) =>
    links.map((link) => new URLSearchParams(link.getAttribute('href') ?? '').get('language') ?? ''),
  );
  for (const language of offered.length > 0 ? offered.filter(isLanguage) : ['english' as const]) {
    // Not by pointer: the menu may be closed, or behind a dialog.
    const entry = page.locator(`.language-list a[href="?language=${language}"]`);
    if (offered.length > 0) await entry.evaluate((link: HTMLElement) => link.click());
    await expect(page.locator('html')).toHaveAttribute('lang', languages[language].tag);
    for (const size of [narrow, wide]) {
      await page.setViewportSize(size);
      await expectSound(page, language);
    }
  }
}
