import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createTestOffice } from '../../../../../testing/office.ts';
import { sql } from '../../../../../testing/sql.ts';
import { ImportInterrupted } from '../index.ts';

const header = 'registration_id,firstname,lastname,birthdate,zipcode';
const content = [
  header,
  '1,Ann,Lee,01/02/1950,99301',
  '2,Ann,Lee,02/30/1950,99301',
  '3,Ann,Lee,01/02/1950,99301',
].join('\n');

test('a full disk where refused rows are listed leaves nothing of the file, and says so', async () => {
  const office = await createTestOffice();
  const folder = mkdtempSync(join(tmpdir(), 'beacon-full-'));
  try {
    const stamp = office.clock.now().toISOString().replace(/[-:]/g, '').replace('.', '-');
    const path = join(folder, `file.csv.${stamp}.rejects.csv`);
    // The one device that is full on every machine.
    symlinkSync('/dev/full', path);
    const failed = await office
      .import('beacon-voters', content, { rejectsDirectory: folder })
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ImportInterrupted);
    expect((failed as Error).message).toBe(
      `There is no room left on the disk for ${path}. Nothing of file.csv was imported. Make room, then run the same command again. That is safe.`,
    );
    const { rows } = await sql`select from voters union all select from imports`.execute(
      office.db.database.system,
    );
    expect(rows).toHaveLength(0);
    expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();

    const { report } = await office.import('beacon-voters', content, { rejectsDirectory: folder });
    expect(report.rows).toMatchObject({ added: 2, refused: 1 });
    expect(existsSync(path)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
    await office.close();
  }
});

test.each([
  ['the first roll', 2, []],
  ['the first roll', 3, []],
  ['a later roll', 4, [content.replace('02/30', '03/30')]],
  ['a later roll', 6, [content.replace('02/30', '03/30')]],
])(
  '%s that somebody saves anew after %i of its readings is refused, and nothing of it stays',
  async (_what, whole, before) => {
    const office = await createTestOffice();
    try {
      for (const roll of before)
        expect((await office.import('beacon-voters', roll)).state).toBe('done');
      const changed = content.replaceAll('Ann', 'Eve');
      let readings = 0;
      const open = () => {
        readings += 1;
        return Readable.from([Buffer.from(readings > whole ? changed : content)]);
      };
      const { state, report } = await office.import('beacon-voters', '', {
        file: { name: 'file.csv', size: content.length, open },
      });
      expect([state, report.refusedBecause]).toEqual([
        'refused',
        'The file changed while it was being read. Import it again.',
      ]);
      const { rows } = await sql<{ firstname: string }>`
        select distinct firstname from voters`.execute(office.db.database.system);
      expect(rows).toEqual(before.map(() => ({ firstname: 'Ann' })));
      expect((await office.import('beacon-voters', changed)).state).toBe('done');
    } finally {
      await office.close();
    }
  },
);

test('a file’s name is on record in the order in which it is written, whatever marks are in it', async () => {
  const office = await createTestOffice();
  try {
    const open = () => Readable.from([Buffer.from(content)]);
    await office.import('beacon-voters', '', {
      file: { name: '/in/roll-\u202evsc.xslx\u2066\u0007.csv', size: content.length, open },
    });
    const { rows } = await sql`select file_name from imports`.execute(office.db.database.system);
    expect(rows).toEqual([{ file_name: 'roll-\ufffdvsc.xslx\ufffd\ufffd.csv' }]);
  } finally {
    await office.close();
  }
});

test.each([false, true])(
  'of a file that is refused nothing is counted as new or changed (dry run: %s)',
  async (isDryRun) => {
    const office = await createTestOffice({ import_limits: { refused_percent: 0 } });
    try {
      const known = content.replace('02/30', '03/30');
      expect((await office.import('beacon-voters', known)).state).toBe('done');
      const { state, report } = await office.import(
        'beacon-voters',
        `${content.replace('1,Ann', '1,Eve')}\n4,Ann,Lee,01/02/1950,99301`,
        { isDryRun },
      );
      expect(state).toBe('refused');
      expect(report).toMatchObject({
        rows: { read: 4, added: 0, changed: 0, unchanged: 0, refused: 1 },
        ...{ before: {}, after: {}, events: 0 },
      });
    } finally {
      await office.close();
    }
  },
);

test('the list of refused rows runs no formula, and no token is in it, also of a line that cannot be read', async () => {
  const office = await createTestOffice();
  const folder = mkdtempSync(join(tmpdir(), 'beacon-rejects-'));
  try {
    const rows = [
      `${header},security_token`,
      '1,"=HYPERLINK(""http://x"")",+Lee,02/30/1950,99301,K7QM-FIRST',
      '2,@Ann,-Lee,02/30/1950,99301,K7QM-SECOND',
      // Full-width signs, which some programs take for the signs themselves.
      '8,＝1+1,＋Lee,02/30/1950,99301,K7QM-FOURTH',
      '3,Ann,Lee,01/02/1950,K7QM-THIRD',
      ...[4, 5, 6, 7].map((id) => `${id},Ann,Lee,01/02/1950,99301,`),
    ];
    const { report } = await office.import('beacon-voters', rows.join('\n'), {
      rejectsDirectory: folder,
    });
    const list = readFileSync(report.rejectsFile ?? '', 'utf8');
    expect(report.rows).toMatchObject({ added: 4, refused: 4 });
    expect(list).not.toContain('K7QM');
    const cells = list.split('\n').flatMap((line) => line.split(','));
    expect(cells.filter((cell) => /^"?[=+\-@\t\r＝＋－＠]/.test(cell))).toEqual([]);
    expect(list).toContain(`"'=HYPERLINK(""http://x"")",'+Lee`);
  } finally {
    rmSync(folder, { recursive: true });
    await office.close();
  }
});

test('a file whose name is as long as a disk allows is imported, and its refused rows are listed', async () => {
  const office = await createTestOffice();
  try {
    const name = `${'ü'.repeat(125)}.csv`;
    const { state, report } = await office.import('beacon-voters', content, {
      file: { name, open: () => Readable.from([Buffer.from(content)]) },
    });
    expect([state, report.rows.refused]).toEqual(['done', 1]);
    expect(readFileSync(report.rejectsFile ?? '', 'utf8')).toContain('02/30/1950');
  } finally {
    await office.close();
  }
});
