import type { Page } from '@playwright/test';
import { languageNames, languages } from '../contract/src/languages.ts';
import { cast } from '../demo/cast.ts';
import { findBadLayout } from './access/layout.ts';
import { narrow } from './access/sound.ts';
import { expect, once, test } from './fixtures.ts';
import { openOffice, runCommand } from './office.ts';
import { comeFromElsewhere, open, signIn } from './sign-in.ts';
import { chooseLanguage, enter } from './voter-steps.ts';

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

test(
  'a name of one long word, as there are in Hawaiʻi, stays on a narrow screen',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL);
    const lastname = 'Keihanaikukauakahihuliheekahaunaele';
    const roll = `registration_id,firstname,lastname,birthdate,zipcode\nM-1,Ines,Marlowe,1975-07-09,32001\nM-2,,${lastname},1975-07-09,32001\n`;
    await runCommand(
      ...['import', office.write('roll.csv', roll), '--account', office.subdomain],
      ...['--format', 'beacon-voters'],
    );
    await page.setViewportSize(narrow);
    await enter(page, {
      ...office,
      typed: { ...office.typed, firstname: '', lastname: lastname },
    });
    await open(page, `${office.url}/voter/dashboard`);
    await expect(page.locator('.dashboard-heading')).toContainText(lastname);
    for (const size of ['100%', '200%']) {
      await page.evaluate((fontSize) => {
        document.documentElement.style.fontSize = fontSize;
      }, size);
      expect(await page.evaluate(findBadLayout), size).toEqual([]);
    }
    office.close();
  },
);

test(
  'the name of an office of one long word stays on a narrow screen',
  once,
  async ({ page, baseURL }) => {
    const name = 'Keihanaikukauakahihuliheekahaunaele';
    const office = await openOffice(baseURL, { name });
    await page.setViewportSize(narrow);
    const look = async () => {
      await expect(page.locator('.top-bar-name')).toContainText(name);
      for (const size of ['100%', '200%']) {
        await page.evaluate((fontSize) => {
          document.documentElement.style.fontSize = fontSize;
        }, size);
        expect(await page.evaluate(findBadLayout), size).toEqual([]);
      }
    };
    await open(page, `${office.url}/voter`);
    await look();
    await enter(page, office);
    await open(page, `${office.url}/voter/dashboard`);
    await look();
    office.close();
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
