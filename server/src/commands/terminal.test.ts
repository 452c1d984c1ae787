import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { sql } from '../../../testing/sql.ts';

let office: TestOffice;
let beacon: Beacon;

beforeEach(async () => {
  office = await createTestOffice();
  beacon = createBeacon(office.db.url, { clock: office.clock });
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

/** Clears the screen and prints anew; the second as one character; then turns the reading direction. */
const hostile = '\u001b[2J\u001b[Hall is well \u009b1A\r\u202eanna\u202c';
/** What makes a terminal do anything but show text and begin a line. */
const acting = /[^\P{Cc}\n\t]|[\u202a-\u202e]/u;
const header = 'registration_id,firstname,lastname,birthdate,zipcode';

test('names of files, columns and values reach a terminal as text that makes it do nothing', async () => {
  const row = '1,Ann,Lee,01/02/1950,99301,returned';
  const roll = beacon.write(`roll ${hostile}.csv`, `${header},status ${hostile}\n${row}\n`);
  const imported = await beacon.run('import', roll, '--account', 'adams');
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('all is well') });
  expect(imported.stdout).toContain('voters new 1');
  expect(imported.stdout + imported.stderr).not.toMatch(acting);

  const missing = beacon.path(`no ${hostile}.csv`);
  const refused = await beacon.run('import', missing, '--account', 'adams');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('all is well') });
  expect(refused.stderr).not.toMatch(acting);
});

test('so does what is on record about a voter, also as JSON, which says all of it', async () => {
  const roll = beacon.write('roll.csv', `${header}\n1,Ann,Lee,01/02/1950,99301\n`);
  await beacon.do('import', roll, '--account', 'adams');
  await sql`update voters set firstname = ${hostile}`.execute(office.db.database.system);
  const show = ['voter', 'show', '1', '--account', 'adams'];
  const shown = await beacon.do(...show);
  expect(shown).toContain('all is well');
  expect(shown).not.toMatch(acting);
  const json = await beacon.do(...show, '--json');
  expect(json).not.toMatch(acting);
  expect(JSON.parse(json)).toMatchObject({ voter: { firstname: hostile } });
});
