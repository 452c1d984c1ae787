import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type * as Axe from 'axe-core';
import { expect } from './fixtures.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 AA, and axe's own good practice. */
const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Subjects of rules for a page whose elements have been looked at with all of them. */
const subjects = {
  /** What other texts and another layout can break: names, language, colors, sizes. */
  'of words': [
    'name-role-value',
    'text-alternatives',
    'language',
    'forms',
    'color',
    'sensory-and-visual-cues',
  ],
  /** What other colors can break. */
  'of colors': ['color'],
} as const;

/** WCAG 2.5.3 is law, and only axe's way to find it an experiment. */
const nameMismatch = 'label-content-name-mismatch';

interface WithAxe {
  readonly axe?: Pick<typeof Axe, 'run' | 'getRules'>;
}

/**
 * What axe finds against the rules in the page as it stands, as `RULE: ELEMENTS`.
 * axe itself is half a megabyte: it is put into a page once.
 *
 * @param rules those of some {@link subjects} alone
 */
export async function findBarriers(
  page: Page,
  rules: 'all' | keyof typeof subjects = 'all',
): Promise<string[]> {
  const isThere = await page.evaluate(() => (globalThis as WithAxe).axe !== undefined);
  if (!isThere) await page.evaluate(source);
  const chosen = rules === 'all' ? null : subjects[rules].map((subject) => `cat.${subject}`);
  return page.evaluate(
    async ([tags, only, proven]) => {
      const { axe } = globalThis as WithAxe;
      if (!axe) throw new Error('axe is not in the page');
      const ids = axe
        .getRules([...tags])
        .filter(({ ruleId, tags: own }) => !own.includes('experimental') || ruleId === proven)
        .filter(({ tags: own }) => !only || own.some((tag) => only.includes(tag)))
        .map((rule) => rule.ruleId);
      const { violations } = await axe.run(document, {
        runOnly: { type: 'rule', values: ids },
        resultTypes: ['violations'],
        // One of another origin cannot be looked into, and asking it makes the browser warn.
        iframes: false,
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    [standard, chosen, nameMismatch] as const,
  );
}

/** Fails when axe finds anything in the page as it stands. */
export async function expectNoBarriers(page: Page): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
}

/** The same in light and in dark colors, which one arrival shows as well as two. */
export async function expectNoBarriersInAnyColors(page: Page): Promise<void> {
  for (const [colorScheme, rules] of [
    ['dark', 'all'],
    ['light', 'of colors'],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Colors on their way from one scheme to the other are neither's.
    await page.evaluate(() =>
      Promise.allSettled(document.getAnimations().map((animation) => animation.finished)),
    );
    expect(await findBarriers(page, rules)).toEqual([]);
  }
}
