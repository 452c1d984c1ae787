import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readCatalog } from './catalog.ts';

const folder = mkdtempSync(join(tmpdir(), 'beacon-catalog-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param files of it, by their paths below the folder of texts */
function readFolder(name: string, files: Readonly<Record<string, string>>) {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, file)), { recursive: true });
    writeFileSync(join(folder, name, file), content);
  }
  return readCatalog(join(folder, name));
}

test('a language without a page of its own has the English one', () => {
  const catalog = readFolder('pages', {
    'english/pages/faq.html': 'Questions',
    'spanish/pages/faq.html': 'Preguntas',
    'french/pages/faq.html': '',
    'german/main.json': '{}',
  });
  expect(catalog.languages.map((language) => catalog.page(language, 'faq'))).toEqual([
    'Questions',
    'Questions',
    'Questions',
    'Preguntas',
  ]);
});

test('English is what others are reviewed against, and another language counts as reviewed once it is', () => {
  const catalog = readFolder('reviews', {
    'english/main.json': '{}',
    'spanish/review.json': '{"reviewed":true}',
    'french/review.json': '{"reviewed":false}',
    'german/main.json': '{}',
  });
  const { languages, isReviewed } = catalog;
  expect(languages.filter(isReviewed).toSorted()).toEqual(['english', 'spanish']);
});

test('the version is another one for any other text, page, review or language, and for nothing else', () => {
  const first = {
    'english/main.json': '{"a":"b"}',
    'spanish/main.json': '{"a":"c"}',
    'spanish/messages.json': '{}',
    'spanish/review.json': '{"reviewed":false}',
    'spanish/pages/faq.html': 'Preguntas',
  };
  const versions = [
    first,
    { ...first, 'english/main.json': '{"a":"d"}' },
    { ...first, 'spanish/messages.json': '{"a":"c"}' },
    { ...first, 'spanish/review.json': '{"reviewed":true}' },
    { ...first, 'spanish/pages/faq.html': 'Otras' },
    { ...first, 'french/main.json': '{}' },
  ].map((files, number) => readFolder(`version-${number}`, files).version);
  expect(new Set(versions).size).toBe(versions.length);
  expect(readFolder('version-again', first).version).toBe(versions[0]);
});
