import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../testing/database.ts';
import { sql } from '../../../../../testing/sql.ts';
import { workbook, zip } from '../../../../../testing/zip.ts';
import { isUnavailable } from '../../../platform/postgres.ts';
import { openSourceFile, type StoredFile } from '../index.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const header = ['registration_id', 'lastname'];
const csv = `${header}\n1,Lee\n`;

/** As a file that is sealed in the database, whose connection is lost after so many reads. */
function storedFor(reads: number, name: string, bytes: Buffer): StoredFile {
  let left = reads;
  async function* readPart(start: number, end: number): AsyncGenerator<Buffer> {
    left -= 1;
    if (left < 0)
      await sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(${20})`.execute(
        testDatabase.database.system,
      );
    yield bytes.subarray(start, end);
  }
  return {
    ...{ name, size: bytes.length },
    read: (start = 0, end = bytes.length) =>
      Readable.from(readPart(start, end), { objectMode: false }),
  };
}

async function readAll(stored: StoredFile): Promise<unknown> {
  try {
    const file = await openSourceFile(stored, 'Adams');
    for await (const piece of file.open()) void piece;
    return null;
  } catch (error) {
    return error;
  }
}

test.each([
  ['a gzip', 'roll.csv.gz', gzipSync(csv)],
  ['a zip', 'roll.zip', zip({ 'roll.csv': csv })],
  ['a zip of two files', 'roll.zip', zip({ 'a.csv': csv, 'b.csv': csv })],
  ['a workbook', 'roll.xlsx', workbook([header, ['1', 'Lee']])],
])(
  '%s whose database goes away at any moment is neither damaged nor encrypted',
  async (_, name, bytes) => {
    let reads = 0;
    for (;;) {
      const error = await readAll(storedFor(reads, name, bytes));
      if (error === null) break;
      expect(isUnavailable(error), `after ${reads} reads: ${error}`).toBe(true);
      reads += 1;
    }
    expect(reads).toBeGreaterThan(1);
  },
);
