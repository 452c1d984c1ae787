import type { Page } from '@playwright/test';
import {
  isLanguage,
  type Language,
  languageNames,
  languages,
} from '../../contract/src/languages.ts';
import { expect } from '../fixtures.ts';
import { chooseLanguage } from '../voter-steps.ts';
import { expectSound, findFaults, narrow, wide } from './sound.ts';

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
  expect(offered.toSorted()).toEqual(languageNames.toSorted());
  const faults = new Map<string, string[]>();
  const known = new Set<string>();
  const state = await page.evaluate(describeState);
  let sizes = [narrow, wide];
  for (const language of offered.filter(isLanguage)) {
    await chooseLanguage(page, language);
    await expect(page.locator('html')).toHaveAttribute('lang', languages[language].tag);
    await renew();
    await expect.poll(() => page.evaluate(describeState), `the state in ${language}`).toBe(state);
    for (const size of sizes) {
      await page.setViewportSize(size);
      const elements = `${size.width} ${await page.evaluate(describeElements)}`;
      const rules = known.has(elements) ? 'of words' : 'all';
      known.add(elements);
      for (const fault of await findFaults(page, language, rules))
        faults.set(fault, [...(faults.get(fault) ?? []), `${language} ${size.width}`]);
    }
    // The next language begins at the width where this one ended.
    sizes = sizes.toReversed();
  }
  expect([...faults].map(([fault, where]) => `${fault} (${where.join(', ')})`)).toEqual([]);
}

/** The page, which is in one language alone, at two widths, in light and dark colors. */
export async function expectSoundAtEveryWidth(page: Page, language: Language): Promise<void> {
  for (const size of [narrow, wide]) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.mouse.move(0, 0);
      await page.evaluate(awaitTransitions);
      await expectSound(page, language);
    }
  }
}

/**
 * Runs in the page: waits until every color has changed. An element whose color is its parent's changes only after it, so
 * that one frame without a change may be followed by another with one.
 */
async function awaitTransitions(): Promise<void> {
  const stillFrames = 3;
  for (let still = 0; still < stillFrames; ) {
    await new Promise(requestAnimationFrame);
    const isMoving = document.getAnimations().some((one) => one instanceof CSSTransition);
    still = isMoving ? 0 : still + 1;
  }
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

/** Runs in the page: all its elements and what they are, without their words and their language. */
function describeElements(): string {
  const spoken = ['aria-label', 'title', 'alt', 'placeholder', 'lang', 'dir', 'value', 'content'];
  // The current language is marked in the list of them.
  const isSpoken = (name: string, element: Element) =>
    spoken.includes(name) || (name === 'aria-current' && element.closest('.language-list'));
  // A link to a file in the page's language is the same element in each.
  const inAny = (value: string) => value.replace(/([?&]language=)\w+/, '$1');
  return [...document.querySelectorAll('*')]
    .map((element) => {
      const attributes = [...element.attributes].filter(({ name }) => !isSpoken(name, element));
      const described = attributes.map(({ name, value }) => `${name}=${inAny(value)}`);
      return [element.tagName, ...described].join(' ');
    })
    .join('\n');
}
