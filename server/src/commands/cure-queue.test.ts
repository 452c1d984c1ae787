import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { sql } from '../../../testing/sql.ts';
import { formatInstant } from './dates.ts';

let office: TestOffice;
let beacon: Beacon;
const adams = ['--account', 'adams'];

beforeEach(async () => {
  office = await createTestOffice({
    languages: ['english', 'spanish', 'arabic'],
    contact_phone: '(555) 555-0100',
  });
  // The files are of today, as the command line sees it.
  office.clock.set(new Date().toISOString());
  beacon = createBeacon(office.db.url);
  const voters = [
    ['V1', 'Ann', '4 Elm St', 'spanish', 'false'],
    ['V2', 'Omar', '5 <b>Elm</b> St', 'arabic', 'false'],
    ['V3', 'Hidden', '6 Elm St', 'english', 'true'],
    ['V4', 'Nowhere', '', 'english', 'false'],
  ];
  const roll = await office.import(
    'beacon-voters',
    [
      'registration_id,firstname,lastname,birthdate,zipcode,address,city,state,language_preference,is_confidential',
      ...voters.map(
        ([id, name, address, language, isConfidential]) =>
          `${id},${name},Rivera,1950-02-01,99301,${address},Pasco,WA,${language},${isConfidential}`,
      ),
    ].join('\n'),
  );
  expect(roll).toMatchObject({ state: 'done', report: { rows: { refused: 0 } } });
  await beacon.do(
    ...['election', 'set', ...adams, '--number', '7', '--name', 'Fall Election'],
    ...['--date', inDays(10), '--active', 'true', '--certification', inDays(30)],
  );
  await importBallots('Outbound', voters);
  await importBallots('RejectedCurable', voters);
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

/** `YYYY-MM-DD`: the command line has the machine's clock. */
function inDays(count: number): string {
  return new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
}

const of = (id: string, { fixes }: { fixes: { voter_id: string; notified: unknown }[] }) =>
  fixes.find((fix) => fix.voter_id === id);

async function importBallots(status: string, voters: readonly (readonly string[])[]) {
  const imported = await office.import(
    'voter-focus-ballots',
    [
      'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription',
      ...voters.map(([id]) => `7,${id},${status},${inDays(-20)},${inDays(-3)},,No signature`),
      '',
    ].join('\n'),
  );
  expect(imported).toMatchObject({ state: 'done', report: { rows: { refused: 0 } } });
}

test('beacon cure list names the open envelopes by voter ID, and only counts confidential voters', async () => {
  const listed = JSON.parse(await beacon.do('cure', 'list', ...adams, '--json'));
  expect(listed.confidential).toBe(1);
  expect(listed.fixes.map((fix: { voter_id: string }) => fix.voter_id).sort()).toEqual([
    ...['V1', 'V2', 'V4'],
  ]);
  expect(of('V1', listed)).toMatchObject({
    ...{ defect: 'signature-missing', state: 'open', notified: [], link_opened: null },
    ...{ election: '7', ended_on: null, language: 'spanish', precinct: '' },
  });
  const printed = await beacon.do('cure', 'list', ...adams);
  expect(printed).toContain('V1  7 signature-missing, open:');
  expect(printed).toContain('1 confidential voter not listed');
  expect(printed).not.toContain('V3');
  const others = ['--defect', 'id-missing'];
  expect(await beacon.do('cure', 'list', ...adams, ...others)).toContain('No envelope matches.');
  expect(await beacon.do('cure', 'list', ...adams, '--state', 'fixed')).toContain('No envelope');
});

test('the time that is left is said in days, in hours from two days on, and at last as under an hour', async () => {
  const listed = JSON.parse(await beacon.do('cure', 'list', ...adams, '--json'));
  const deadline = Date.parse(listed.fixes[0].deadline);
  let now = 0;
  const later = createBeacon(office.db.url, { clock: { now: () => new Date(now) } });
  for (const [minutes, left] of [
    [48 * 60, '2 days'],
    [48 * 60 - 1, '47 hours'],
    [60, '1 hour'],
    [59, 'under 1 hour'],
  ] as const) {
    now = deadline - minutes * 60_000;
    expect(await later.do('cure', 'list', ...adams)).toContain(`(${left} left)`);
  }
  later.remove();
});

test('beacon cure letters writes one letter for each voter without a message, once, in the voter’s language', async () => {
  const out = join(beacon.folder, 'letters.html');
  const letters = ['cure', 'letters', ...adams, '--out', out];
  const printed = await beacon.do(...letters);
  expect(printed).toContain('2 letters written');
  expect(printed).toContain('1 voter without an address on the roll: V4.');
  expect(printed).toContain('1 confidential voter without a letter here.');
  const html = readFileSync(out, 'utf8');
  expect(html.match(/<section /g)).toHaveLength(2);
  expect(html).toContain('<section lang="es-US" dir="ltr">');
  expect(html).toContain('<section lang="ar-SA" dir="rtl">');
  expect(html).toContain('<p>Ann Rivera</p><p>4 Elm St</p><p>Pasco, WA 99301</p>');
  expect(html).toContain('5 &lt;b&gt;Elm&lt;/b&gt; St');
  expect(html).not.toContain('Hidden');
  expect(html).not.toContain('{{');
  expect(await beacon.do(...letters)).toContain('No letter is needed.');
  expect(await beacon.do(...letters, '--again')).toContain('2 letters written');
  const listed = JSON.parse(await beacon.do('cure', 'list', ...adams, '--json'));
  const [notice] = (of('V1', listed)?.notified ?? []) as { at: string }[];
  const at = formatInstant(new Date(notice?.at ?? ''), office.account.timeZone);
  expect(await beacon.do('cure', 'list', ...adams)).toContain(`notified by letter ${at}`);
  const audit = JSON.parse(await beacon.do('audit', ...adams, '--json'));
  expect(audit.map((one: { action: string }) => one.action)).toContain('fix-letters.print');
});

test('letters that cannot be written do not count as printed', async () => {
  await sql`delete from fix_letters`.execute(office.db.database.system);
  const out = join(beacon.folder, 'nowhere', 'letters.html');
  const failed = await beacon.run('cure', 'letters', ...adams, '--out', out);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be written') });
  const { rows } = await sql`select from fix_letters`.execute(office.db.database.system);
  expect(rows).toHaveLength(0);
});

test('beacon report fixes counts by day, defect, language and precinct, without confidential voters', async () => {
  const [header, ...rows] = (await beacon.do('report', 'fixes', ...adams)).trim().split('\r\n');
  expect(header).toBe('day,election,defect,language,precinct,found,notified,opened,fixed,expired');
  const found = rows.filter((row) => row.endsWith(',1,0,0,0,0'));
  expect(found.map((row) => row.split(',').slice(1, 5).join(' ')).sort()).toEqual([
    ...['7 signature-missing arabic ', '7 signature-missing english '],
    '7 signature-missing spanish ',
  ]);
});

test('beacon cure list names what was fixed as well, when it is asked for', async () => {
  await importBallots('Accepted', [['V1']]);
  const list = async (state: string) => {
    const listed = JSON.parse(
      await beacon.do('cure', 'list', ...adams, '--state', state, '--json'),
    );
    return listed.fixes.map((fix: { voter_id: string }) => fix.voter_id).sort();
  };
  expect(await list('fixed')).toEqual(['V1']);
  expect(await list('open')).toEqual(['V2', 'V4']);
  expect(await list('all')).toEqual(['V1', 'V2', 'V4']);

  // Of the open envelopes, none is a voter's without an address or with a protected record.
  await importBallots('Accepted', [['V3'], ['V4']]);
  const out = join(beacon.folder, 'last.html');
  expect(await beacon.do('cure', 'letters', ...adams, '--out', out, '--again')).toBe(
    `1 letter written to ${out}. Print it from a browser at 100%, without margins.\n`,
  );
});

test.each([
  ['list', '--defect', 'ink'],
  ['list', '--state', 'done'],
  ['letters', '--out', 'letters.pdf'],
])('refuses cure %s %s %s as a wrong call', async (verb, option, value) => {
  const printed = await beacon.run('cure', verb, ...adams, option, value);
  expect(printed).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(option) });
});
