import type { Page } from '@playwright/test';
import { languageNames, languages } from '../contract/src/languages.ts';
import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { comeFromElsewhere, signIn } from './sign-in.ts';
import { chooseLanguage } from './voter-steps.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test(
  'in every language the buttons on top break no word, and both ways of the page share a line',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    for (const language of languageNames) {
      await chooseLanguage(page, language);
      await expect(page.locator('html')).toHaveAttribute('lang', languages[language].tag);
      expect(await listBrokenWords(page, '.top-bar-button, .members-nav a'), language).toEqual([]);
      const lines = await page
        .locator('.members-nav li')
        .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().top));
      expect(new Set(lines).size, language).toBe(1);
    }
  },
);

/** Words, in scripts that part them by spaces, that stand on more than one line. */
const listBrokenWords = (page: Page, where: string) =>
  page.locator(where).evaluateAll((areas) =>
    areas.flatMap((area) => {
      const broken: string[] = [];
      const texts = document.createTreeWalker(area, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        for (const { 0: word, index } of text.textContent?.matchAll(
          /[^\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}-]+/gu,
        ) ?? []) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
          if (new Set(tops).size > 1) broken.push(word);
        }
      }
      return broken;
    }),
  );
