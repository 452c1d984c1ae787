import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../testing/office.ts';
import { zip } from '../../../../../testing/zip.ts';
import { openSourceFile } from '../index.ts';

let office: TestOffice;
let folder: string;
beforeEach(async () => {
  office = await createTestOffice();
  folder = mkdtempSync(join(tmpdir(), 'beacon-parts-'));
});
afterEach(async () => {
  await office.close();
  rmSync(folder, { recursive: true });
});

const header = 'registration_id,firstname,lastname,birthdate,zipcode';
const row = (id: string) => `${id},Ann,Lee,01/02/1950,99301`;

async function importParts(...parts: string[]) {
  const path = join(folder, 'parts.zip');
  writeFileSync(path, zip(Object.fromEntries(parts.map((part, n) => [`part-${n}.csv`, part]))));
  const file = await openSourceFile(path, 'Adams');
  const { state, report } = await office.import('beacon-voters', '', { file });
  return { state, added: report.rows.added, because: report.refusedBecause };
}

test.each([
  ['is empty', ''],
  ['is a header line without its end', header],
])('the first file of a zip %s, and those after it are read', async (_, first) => {
  expect(
    await importParts(first, `${header}\n${row('1')}\n${row('2')}\n`, `${header}\n${row('3')}`),
  ).toEqual({
    ...{ state: 'done', added: 3, because: null },
  });
});

test('a single line without a header in a zip is refused as a longer file without one is', async () => {
  const refused = {
    state: 'refused',
    added: 0,
    because:
      'In the zip part-1.csv does not begin with the header line of part-0.csv. Import each file by itself.',
  };
  const first = `${header}\n${row('1')}\n`;
  expect(await importParts(first, `${row('2')}\n${row('3')}\n`)).toEqual(refused);
  expect(await importParts(first, row('2'))).toEqual(refused);
});
