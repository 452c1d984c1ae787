import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readCatalog } from './catalog.ts';

const folder = mkdtempSync(join(tmpdir(), 'beacon-catalog-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a language without a page of its own has the English one', () => {
  const faq = { english: 'Questions', spanish: 'Preguntas', french: '', german: undefined };
  for (const [language, page] of Object.entries(faq)) {
    mkdirSync(join(folder, language, 'pages'), { recursive: true });
    for (const section of ['main', 'messages'])
      writeFileSync(join(folder, language, `${section}.json`), '{}');
    if (page !== undefined) writeFileSync(join(folder, language, 'pages/faq.html'), page);
  }
  const catalog = readCatalog(folder);
  expect(catalog.languages.map((language) => catalog.page(language, 'faq'))).toEqual([
    'Questions',
    'Questions',
    'Questions',
    'Preguntas',
  ]);
});
