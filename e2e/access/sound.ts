import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { type Language, languages } from '../../contract/src/languages.ts';
import { findBarriers } from '../barriers.ts';
import { expect } from '../fixtures.ts';
import { findBadLayout } from './layout.ts';

/** The page's texts in a language, by key. */
export function readTexts(language: Language): Record<string, string> {
  const file = new URL(`../../locales/${language}/main.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

const keys = Object.keys(readTexts('english'));

/** WCAG 2.2, Reflow: the width that a page zoomed to 400 % has. */
export const narrow = { width: 320, height: 640 };
export const wide = { width: 1280, height: 800 };

/** An address in a language. */
export function inLanguage(address: string, language: Language): string {
  return `${address}${address.includes('?') ? '&' : '?'}language=${language}`;
}

/** The page as it stands says which language it is in, shows words and not keys, all of each word, and has no barrier. */
export async function expectSound(
  page: Page,
  language: Language,
  rules: 'all' | 'of words' = 'all',
): Promise<void> {
  expect(await findFaults(page, language, rules)).toEqual([]);
}

/**
 * What is wrong with the page as it stands, in words that name the fault and the text or element it is in.
 *
 * @param rules `of words` for a page of whose elements nothing was wrong in another language.
 */
export async function findFaults(
  page: Page,
  language: Language,
  rules: 'all' | 'of words' = 'all',
): Promise<string[]> {
  const seen = await page.evaluate(async () => {
    // What a reader sees is what was painted last.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const { lang, dir } = document.documentElement;
    // What editors look up by its key is shown with it, and as it is written.
    const quoted = [...document.querySelectorAll<HTMLElement>('code, samp')];
    const words = quoted.reduce(
      (all, { innerText }) => all.replace(innerText, ''),
      document.body.innerText,
    );
    return { lang, dir, words };
  });
  const { tag, dir } = languages[language];
  const faults = await page.evaluate(findBadLayout);
  if (seen.lang !== tag) faults.push(`lang is ${seen.lang}, not ${tag}`);
  if (seen.dir !== dir) faults.push(`dir is ${seen.dir}, not ${dir}`);
  for (const key of [...keys, '{{'])
    if (seen.words.includes(key)) faults.push(`shows ${key} instead of words`);
  return [...faults, ...(await findBarriers(page, rules))];
}
