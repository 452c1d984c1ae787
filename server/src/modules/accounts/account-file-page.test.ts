import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeAccountFilePage } from './account-file-page.ts';
import { readAccountFile } from './read-account-file.ts';

const page = readFileSync(
  path.resolve(import.meta.dirname, '../../../../docs/account-file.md'),
  'utf8',
);

test('docs/account-file.md describes every setting as the code reads it; `npm run docs` writes it', () => {
  expect(page).toBe(writeAccountFilePage());
});

test('the example of docs/account-file.md is a usable account file', () => {
  const [, example = ''] = /```json\n([\s\S]+?)```/.exec(page) ?? [];
  expect(readAccountFile(JSON.parse(example))).toMatchObject({ ok: true });
});
