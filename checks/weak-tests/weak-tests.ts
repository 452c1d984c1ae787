/**
 * Assertions that pass whatever the product does, and what keeps an assertion from running. That each test asserts at all is
 * counted while it runs (`requireAssertions`, e2e/fixtures.ts); this looks at what is asserted.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface WeakRule {
  readonly pattern: RegExp;
  /** What to write instead; printed with each finding. */
  readonly instead: string;
}

export const weakRules: Readonly<Record<string, WeakRule>> = {
  truth: {
    pattern: /\.toBe(Truthy|Falsy)\(/,
    instead: 'the value that is expected: any text and any number but 0 is true',
  },
  'never negative': {
    pattern: /\.toBeGreaterThan(OrEqual\(0\)|\(-\d)/,
    instead: 'the exact count: none is below zero',
  },
  'one of several statuses': {
    pattern: /expect\(\[\s*\d{3}(,\s*\d{3})+,?\s*\]\)\s*\.toContain\(/,
    instead: 'the one status of each case, as a column of test.each',
  },
  itself: {
    pattern: /expect\(([^()]+)\)\s*\.to(Be|Equal|StrictEqual)\(\1\)/,
    instead: 'a value that the product did not give',
  },
  'a literal': {
    pattern: /expect\((true|false|null|undefined|\d+|'[^']*')\)\s*\./,
    instead: 'what the product gave',
  },
  anything: {
    pattern:
      /\.to(Equal|Be|StrictEqual)\(expect\.any(thing\(\)|\(Object\))\)|\.toMatch\(\/\.?[*+]?\/\w*\)/,
    instead: 'what is expected of it',
  },
  'a sleep': {
    pattern: /\.waitForTimeout\(/,
    instead: 'what is waited for: expect.poll, waitForResponse, the test’s clock',
  },
  'left out': {
    pattern: /\b(test|it|describe)(\.\w+)*\.(skip|todo|fixme|only|skipIf|runIf)\b/,
    instead: 'a test that runs, or none',
  },
  'a failure passed over': {
    pattern: /\bcatch\s*(\(\w*\)\s*)?\{\s*\}/,
    instead: '`await expect(…).rejects`, or no catch',
  },
};

const tests =
  '{bench,chaos,checks,contract,database,demo,e2e,office,server,testing,web}/**/*.test.{ts,tsx}';

export interface WeakFinding {
  readonly rule: string;
  /** `path:line` */
  readonly where: string;
}

export interface WeakReport {
  readonly fileCount: number;
  readonly findings: readonly WeakFinding[];
}

export function checkTests(root: string): WeakReport {
  const files = globSync(tests, {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|dist|fixtures|weak-tests)(\/|$)/.test(name),
  });
  const findings = files.flatMap((file) =>
    findWeak(readFileSync(path.join(root, file), 'utf8')).map(({ rule, line }) => ({
      rule,
      where: `${file}:${line}`,
    })),
  );
  return { fileCount: files.length, findings };
}

/** @returns each weak place with its line, counted from 1 */
export function findWeak(text: string): { readonly rule: string; readonly line: number }[] {
  return Object.entries(weakRules).flatMap(([rule, { pattern }]) =>
    [...text.matchAll(new RegExp(pattern, 'g'))].map(({ index }) => ({
      rule,
      line: text.slice(0, index).split('\n').length,
    })),
  );
}
