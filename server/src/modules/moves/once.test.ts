import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, addVoter, typed } from '../../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../../testing/beacon.ts';
import { pg } from '../../../../testing/sql.ts';
import { createTwoCells, type TwoCells } from '../../../../testing/two-cells.ts';

let cells: TwoCells;
/** The command line of the west, which would move offices to the east. */
let back: Beacon;

/** A backup of the east of before the move. */
let backup: string;

/** Adams has moved from the east to the west. */
beforeEach(async () => {
  cells = await createTwoCells();
  const { east, west, inEast, inWest } = cells;
  const adams = await addOffice(east.test, { subdomain: 'adams' });
  await addVoter(east.test, adams, { lastname: 'Fox' });
  await inEast.do('migrate', '--cell', '1');
  await inWest.do('migrate', '--cell', '2');
  const environment = { ...process.env, DATABASE_URL: east.test.url, BACKUP_FOLDER: inEast.folder };
  backup = execFileSync(path.resolve('deploy/backup/backup.sh'), {
    encoding: 'utf8',
    env: environment,
  }).trim();
  await inEast.do('account', 'move', 'adams');
  back = createBeacon(west.test.url, { environment: { MOVE_DATABASE_URL: east.test.url } });
});
afterEach(async () => {
  back.remove();
  await cells.close();
});

test.each([
  ['its old rows are still there', false],
  ['they were deleted', true],
])(
  'an office does not move back to the cell that it came from, when %s, and stays open',
  async (_, isDeleted) => {
    if (isDeleted) await cells.inEast.do('account', 'move', 'adams', '--delete-here');
    expect(await back.run('account', 'move', 'adams')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Account adams has moved away from the other cell, and an office can go to a cell once (docs/operations/cells.md).\n',
    });
    const answer = await cells.west
      .browser('adams.localhost')
      .post('/api/voter/session', typed({ lastname: 'Fox' }));
    expect(answer.statusCode).toBe(201);
    expect(await cells.west.query('select from moved_accounts')).toEqual([]);
  },
);

test('a cell that is restored from a backup of before a move closes the office once more, and copies nothing', async () => {
  const { east, west } = cells;
  const name = `${east.test.name}_restored`;
  await east.query(`create database ${name}`);
  const url = east.test.url.replace(`/${east.test.name}?`, `/${name}?`);
  execFileSync('pg_restore', ['--no-owner', `--dbname=${url}`, backup]);
  // A file that waited at that time is in the other cell by now, with whatever was decided on it.
  const owner = new pg.Client({ connectionString: url, application_name: 'a backup' });
  await owner.connect();
  await owner.query(
    `insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at, rows_read, rows_refused, report)
      select account_id, 'f', 'roll.csv', '', 'file-held', 'operator:a', now(), now(), 1, 0, '{}' from accounts`,
  );
  await owner.end();
  // Beside the owner's login no office moves.
  await expect
    .poll(() => east.query(`select from pg_stat_activity where application_name = 'a backup'`))
    .toEqual([]);
  const restored = createBeacon(url, { environment: { MOVE_DATABASE_URL: west.test.url } });
  const rows = await west.query('select voter_id from voters');
  try {
    const same = createBeacon(url, { environment: { MOVE_DATABASE_URL: url } });
    expect(await same.run('account', 'move', 'adams')).toMatchObject({ code: 1, stdout: '' });
    same.remove();
    expect(await restored.do('account', 'list')).toContain('adams');
    expect(await restored.do('account', 'move', 'adams')).toContain('is in the other cell');
    expect(await restored.do('account', 'list')).not.toContain('adams');
    expect(await west.query('select voter_id from voters')).toEqual(rows);
    expect(await restored.do('account', 'move', 'adams', '--delete-here')).toContain('Deleted');
  } finally {
    restored.remove();
    await east.query(`drop database ${name} with (force)`);
  }
});
