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

test.each([
  ['Clay', ['CLAY.csv', 'CLAYTON.csv', 'STATEWIDE.csv'], ['CLAY.csv']],
  ['Clay', ['ga_clay_2026.csv', 'ga_clayton_2026.csv'], ['ga_clay_2026.csv']],
  ['Clay', ['AbsenteeClay.csv', 'AbsenteeClayton.csv'], ['AbsenteeClay.csv']],
  ['Clay', ['CLAYTON.csv', 'STATEWIDE.csv'], ['STATEWIDE.csv']],
  ['Clayton', ['CLAY.csv', 'CLAYTON.csv'], ['CLAYTON.csv']],
  ['Lee County', ['lee county.csv', 'leelanau county.csv'], ['lee county.csv']],
  ['Jeff Davis', ['DAVIS.csv', 'JEFFDAVIS.csv'], ['JEFFDAVIS.csv']],
  ['Jeff Davis', ['JEFF_DAVIS.csv', 'JEFFERSON.csv'], ['JEFF_DAVIS.csv']],
  ["Prince George's", ['PRINCE GEORGES.csv', 'CHARLES.csv'], ['PRINCE GEORGES.csv']],
  ['Clay', ['vbm-clay-1.csv', 'vbm-clay-2.csv'], ['vbm-clay-1.csv', 'vbm-clay-2.csv']],
  ['Clay', ['clayballots20261028.csv', 'fultonballots20261028.csv'], ['clayballots20261028.csv']],
])('of a zip for %s with %j the county’s own is read', async (county, names, chosen) => {
  const path = join(folder, 'state.zip');
  const contents = names.map((name) => [name, `${header}\n${row(name)}\n`]);
  writeFileSync(path, zip(Object.fromEntries(contents)));
  const file = await openSourceFile(path, county);
  const pieces = await file.open().toArray();
  const rows = Buffer.concat(pieces).toString().trim().split('\n').slice(1);
  expect(rows).toEqual(chosen.map(row));
});
