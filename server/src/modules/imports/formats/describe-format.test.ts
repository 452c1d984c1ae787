import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeFormat, listFormats } from '../index.ts';

const folder = new URL('../../../../../docs/formats/', import.meta.url);
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));

test('the tables of docs/formats/ say what the formats do', async () => {
  const formats = new Map((await listFormats()).map((format) => [format.name, format]));
  const described = new Set<string>();
  for (const name of pages) {
    const page = readFileSync(new URL(name, folder), 'utf8');
    const current = page.replaceAll(
      /<!-- ([a-z0-9-]+) -->\n[\s\S]*?<!-- end -->/g,
      (_, format: string) => {
        described.add(format);
        const found = formats.get(format);
        if (!found) throw new Error(`${name} describes ${format}, which is no format.`);
        return `<!-- ${format} -->\n${describeFormat(found)}\n<!-- end -->`;
      },
    );
    if (process.env.UPDATE_DOCS === '1') writeFileSync(new URL(name, folder), current);
    else
      expect(page, `${name} is out of date: run UPDATE_DOCS=1 npx vitest run describe-format`).toBe(
        current,
      );
  }
  const byHand = ['beacon-voters', 'voter-focus-voters', 'voter-focus-ballots'];
  expect([...formats.keys()].filter((name) => !described.has(name)).sort()).toEqual(byHand.sort());
});

test('every format is listed with its page', async () => {
  const index = readFileSync(new URL('README.md', folder), 'utf8');
  for (const { name } of await listFormats()) expect(index).toContain(`\`${name}\``);
  for (const page of pages) if (page !== 'README.md') expect(index).toContain(`(${page})`);
});
