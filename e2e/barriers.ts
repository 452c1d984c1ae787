import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of WCAG 2.2 AA, and axe's own good practice. */
const options: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

interface WithAxe {
  readonly axe?: { run(context: Document, options: RunOptions): Promise<AxeResults> };
}

/**
 * What axe finds against the rules in the page as it stands, as `RULE: ELEMENTS`.
 * axe itself is half a megabyte: it is put into a page once.
 */
export async function findBarriers(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => (globalThis as WithAxe).axe !== undefined);
  if (!isThere) await page.evaluate(source);
  return page.evaluate(async (chosen) => {
    const { axe } = globalThis as WithAxe;
    if (!axe) throw new Error('axe is not in the page');
    const { violations } = await axe.run(document, chosen);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, options);
}

/** Fails when axe finds anything in the page as it stands. */
export async function expectNoBarriers(page: Page): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
}
