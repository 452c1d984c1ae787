import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { type Language, languages } from '../../contract/src/languages.ts';
import { expectNoBarriers } from '../barriers.ts';

const keys = Object.keys(
  JSON.parse(readFileSync(new URL('../../locales/english/main.json', import.meta.url), 'utf8')),
).filter((key) => key.includes('.'));

/** WCAG 2.2, Reflow: the width that a page zoomed to 400 % has. */
export const narrow = { width: 320, height: 640 };
export const wide = { width: 1280, height: 800 };

/** An address in a language. */
export function inLanguage(address: string, language: Language): string {
  return `${address}${address.includes('?') ? '&' : '?'}language=${language}`;
}

/** The page as it stands says which language it is in, shows words and not keys, all of each word, and has no barrier. */
export async function expectSound(page: Page, language: Language): Promise<void> {
  const { tag, dir } = languages[language];
  await expect(page.locator('html')).toHaveAttribute('lang', tag);
  await expect(page.locator('html')).toHaveAttribute('dir', dir);
  const words = await page.locator('body').innerText();
  expect(keys.filter((key) => words.includes(key))).toEqual([]);
  expect(words).not.toContain('{{');
  expect(await page.evaluate(findCutText), `cut off in ${language}`).toEqual([]);
  await expectNoBarriers(page);
}

/** Runs in the page: texts that reach past its edges, or past the box they stand in where that hides the rest. */
function findCutText(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  const found =
    scrollWidth > clientWidth ? [`the page is ${scrollWidth} of ${clientWidth} wide`] : [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim();
    if (
      !element ||
      !text ||
      // A name too long for the bar stands whole in the profile that its button opens.
      element.closest(
        '.visually-hidden, .skip-links, .profile-name, option, script, style, noscript',
      )
    )
      continue;
    if (!element.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right } = range.getBoundingClientRect();
    if (left < -1 || right > clientWidth + 1) found.push(`past the edge: ${text}`);
    for (let box: Element | null = element; box; box = box.parentElement) {
      if (box === document.body || !['hidden', 'clip'].includes(getComputedStyle(box).overflowX))
        continue;
      const edges = box.getBoundingClientRect();
      // Words for screen readers alone stand in a box of one pixel.
      if (edges.width <= 1) break;
      if (left < edges.left - 1 || right > edges.right + 1) found.push(`past its box: ${text}`);
    }
  }
  return found;
}
