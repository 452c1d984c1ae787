import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseXml } from '@rgrove/parse-xml';
import { PNG } from 'pngjs';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { sql } from '../../../testing/sql.ts';

let office: TestOffice;
let beacon: Beacon;
const adams = ['--account', 'adams'];

function importBallots(rows: readonly string[]) {
  const header =
    'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription';
  return office.import('voter-focus-ballots', [header, ...rows, ''].join('\n'));
}

beforeEach(async () => {
  office = await createTestOffice();
  beacon = createBeacon(office.db.url);
  const ids = Array.from({ length: 9 }, (_, n) => `V${n + 1}`);
  await office.import(
    'beacon-voters',
    [
      'registration_id,firstname,lastname,birthdate,zipcode',
      ...ids.map((id) => `${id},Ann,Secret,1950-02-01,99301`),
    ].join('\n'),
  );
  await office.addElection('7', '2026-11-03');
  await importBallots(ids.map((id) => `7,${id},Outbound,10/05/2026,,,`));
  await importBallots(['V1', 'V2', 'V3'].map((id) => `7,${id},Accepted,10/05/2026,10/07/2026,,`));
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

test('an office gets its ballots by status and day in a table for spreadsheets', async () => {
  await sql`update elections set name = '=HYPERLINK("http://x.example","Primary, 2026")'`.execute(
    office.db.database.system,
  );
  // What a file said that was put back counts for nothing.
  await importBallots(['7,V9,Accepted,10/05/2026,10/06/2026,,']);
  const { rows } = await sql<{
    wrong: number;
  }>`select max(import_id) as wrong from imports`.execute(office.db.database.system);
  await beacon.do('correct', String(rows[0]?.wrong), '--by', 'Bea Deputy');
  const name = `"'=HYPERLINK(""http://x.example"",""Primary, 2026"")"`;
  const stdout = await beacon.do('report', 'status', ...adams);
  expect(stdout).toBe(
    [
      'election,election_name,day,status,entered,total',
      `7,${name},2026-10-05,sent,9,9`,
      `7,${name},2026-10-05,accepted,0,0`,
      `7,${name},2026-10-06,sent,0,9`,
      `7,${name},2026-10-06,accepted,0,0`,
      `7,${name},2026-10-07,sent,0,6`,
      `7,${name},2026-10-07,accepted,3,3`,
      '',
    ].join('\r\n'),
  );
  const path = join(beacon.folder, 'status.csv');
  const days = ['--from', '2026-10-06', '--to', '2026-10-06'];
  const output = await beacon.do(
    'report',
    'status',
    ...adams,
    ...days,
    '--election',
    '7',
    '--out',
    path,
  );
  expect(output).toBe(`Written to ${path}.\n`);
  expect(readFileSync(path, 'utf8').split('\r\n')).toHaveLength(4);
});

test('sign-ups and messages are counted by day, language and channel, without names', async () => {
  const db = office.db.database.system;
  await sql`insert into contact_preferences (account_id, voter_id, language_preference)
    select account_id, voter_id, case when registration_id = 'V1' then 'spanish' end from voters`.execute(
    db,
  );
  // The language that a voter chose outweighs the roll's.
  await sql`update voters set language_preference = 'korean' where registration_id in ('V1', 'V2')`.execute(
    db,
  );
  await sql`insert into consents (account_id, voter_id, channel, address, action, source, wording, at)
    select account_id, voter_id, channel, 'secret@mail.example', action, 'page', '1', at::timestamptz
    from voters, (values
      ('email', 'asked', '2026-10-08T06:59:59Z'), ('email', 'confirmed', '2026-10-08T07:00:00Z'),
      ('sms', 'withdrawn', '2026-10-08T07:00:00Z')) as c (channel, action, at)
    where registration_id in ('V1', 'V2', 'V3')`.execute(db);
  await sql`insert into messages (account_id, kind, status, ballot_id, voter_id, channel, address, language, cause, state, created_at, deliver_after)
    select b.account_id, 'status', 'accepted', b.ballot_id, b.voter_id, 'email', 'secret@mail.example', 'english', registration_id,
      case registration_id when 'V3' then 'failed-permanent' else 'delivered' end::message_state, '2026-10-08T06:59:59Z', now()
    from ballots b join voters using (voter_id) where registration_id in ('V1', 'V2', 'V3')`.execute(
    db,
  );

  const registrations = await beacon.do('report', 'registrations', ...adams, '--election', '7');
  expect(registrations.trimEnd().split('\r\n')).toEqual([
    'day,language,channel,asked,confirmed,withdrawn',
    // Days are in the office's time zone: 07:00 in UTC is midnight in Los Angeles.
    '2026-10-07,english,email,1,0,0',
    '2026-10-07,korean,email,1,0,0',
    '2026-10-07,spanish,email,1,0,0',
    '2026-10-08,english,email,0,1,0',
    '2026-10-08,english,sms,0,0,1',
    '2026-10-08,korean,email,0,1,0',
    '2026-10-08,korean,sms,0,0,1',
    '2026-10-08,spanish,email,0,1,0',
    '2026-10-08,spanish,sms,0,0,1',
  ]);
  const messages = await beacon.do('report', 'messages', ...adams, '--to', '2026-10-07');
  expect(messages.trimEnd().split('\r\n')).toEqual([
    'day,election,kind,status,language,channel,state,messages',
    '2026-10-07,7,status,accepted,english,email,delivered,2',
    '2026-10-07,7,status,accepted,english,email,failed-permanent,1',
  ]);
  expect(registrations + messages).not.toMatch(/secret|V1/i);
});

describe('the chart of an election’s ballots', () => {
  test('is a picture with a description in words', async () => {
    const path = join(beacon.folder, 'chart.svg');
    await beacon.do('report', 'chart', ...adams, '--election', '7', '--out', path);
    const { root } = parseXml(readFileSync(path, 'utf8'));
    expect(root?.attributes).toMatchObject({
      role: 'img',
      'aria-labelledby': 'chart-title chart-description',
    });
    expect(root?.text).toContain('Ballots by status and day: Election 7');
    expect(root?.text).toContain(
      '3 bars, one per day. At the end of October 7, 2026 there were 9 ballots: Sent 6, Accepted 3.',
    );
    expect(root?.text).toContain('October 6, 2026: Sent 9; total 9');
  });

  test('is a PNG twice as large, with the colors of the statuses and the text', async () => {
    await sql`update elections set name = 'Elección de Łódź'`.execute(office.db.database.system);
    const draw = async (ending: string) => {
      const path = beacon.path(`chart.${ending}`);
      await beacon.do('report', 'chart', ...adams, '--election', '7', '--out', path);
      return path;
    };
    const { attributes = {} } = parseXml(readFileSync(await draw('svg'), 'utf8')).root ?? {};
    const picture = PNG.sync.read(readFileSync(await draw('png')));
    expect([picture.width, picture.height]).toEqual([
      Number(attributes.width) * 2,
      Number(attributes.height) * 2,
    ]);
    const shares = countColors(picture, picture);
    // White is most of it; the two statuses have the bars, and text is neither.
    expect(shares.get('ffffff')).toBeGreaterThan(0.5);
    expect(shares.get('7fb8dd')).toBeGreaterThan(0.05);
    expect(shares.get('08306b')).toBeGreaterThan(0.01);
    const title = countColors(picture, { width: picture.width, height: 90 });
    expect(title.get('1f2933')).toBeGreaterThan(0.02);
  });

  test('is one page of PDF with its texts as text, and a description for screen readers', async () => {
    await sql`update elections set name = 'Elección de Łódź'`.execute(office.db.database.system);
    const path = beacon.path('chart.PDF');
    await beacon.do('report', 'chart', ...adams, '--election', '7', '--out', path);
    const pdf = await getDocumentProxy(new Uint8Array(readFileSync(path)));
    expect(pdf.numPages).toBe(1);
    const { text } = await extractText(pdf, { mergePages: true });
    for (const part of [
      'Ballots by status and day: Elección de Łódź',
      'October 5, 2026 to October 7',
    ])
      expect(text).toContain(part);
    for (const part of ['Sent', 'Accepted', 'On Oct 7']) expect(text).toContain(part);
    const { info } = await pdf.getMetadata();
    expect(info).toMatchObject({
      Title: 'Ballots by status and day: Elección de Łódź',
      Subject: expect.stringContaining('At the end of October 7, 2026 there were 9 ballots'),
    });
    const tree = await (await pdf.getPage(1)).getStructTree();
    expect(JSON.stringify(tree)).toContain('there were 9 ballots: Sent 6, Accepted 3.');
  });

  test('is a page that also has the figures as a table, and markup in a name stays text', async () => {
    await sql`update elections set name = '<script>x</script> & "Primary"'`.execute(
      office.db.database.system,
    );
    const path = join(beacon.folder, 'chart.html');
    const day = ['--from', '2026-10-07'];
    await beacon.do(
      'report',
      'chart',
      ...adams,
      '--election',
      '7',
      ...day,
      '--to',
      '2026-10-07',
      '--out',
      path,
    );
    const page = readFileSync(path, 'utf8');
    expect(page).toContain('<html lang="en">');
    expect(page).toMatch(/<svg [^>]*role="img"/);
    expect(page).toContain('<th scope="col">Sent</th>');
    expect(page).toMatch(
      /<th scope="row"><time datetime="2026-10-07">October 7, 2026<\/time><\/th><td>3<\/td><td>6<\/td><td>9<\/td>/,
    );
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;script&gt;');
  });
});

/** By color as `rrggbb`, its share of the pixels of the picture's upper left. */
function countColors(
  { width, data }: PNG,
  part: { readonly width: number; readonly height: number },
): Map<string, number> {
  const shares = new Map<string, number>();
  for (let row = 0; row < part.height; row += 1)
    for (let column = 0; column < part.width; column += 1) {
      const at = (row * width + column) * 4;
      const color = data.toString('hex', at, at + 3);
      shares.set(color, (shares.get(color) ?? 0) + 1 / (part.width * part.height));
    }
  return shares;
}

test('a report that cannot be created says why and writes nothing', async () => {
  for (const [code, message, ...given] of [
    [1, 'Election 8 does not exist. You have: 7.', 'status', '--election', '8'],
    [1, 'has no ballots on these days', 'chart', '--election', '9', '--out', beacon.path('c.svg')],
    [1, 'cannot be written', 'status', '--out', beacon.path('gone/status.csv')],
    [2, '--from is after --to', 'messages', '--from', '2026-10-02', '--to', '2026-10-01'],
    [2, 'at most 400 days', 'status', '--from', '1926-10-02'],
    [2, 'Use a date that exists', 'status', '--from', '2026-02-30'],
    [2, 'A chart shows one election', 'chart', '--out', beacon.path('c.svg')],
    [2, 'must end in .svg, .png, .pdf, .html', 'chart', '--election', '7', '--out', 'c.gif'],
    [2, 'Allowed choices are csv', 'status', '--format', 'xlsx'],
  ] as const) {
    if (given.includes('9' as never)) await office.addElection('9', '2026-12-01');
    const result = await beacon.run('report', ...given, ...adams);
    expect(result).toEqual({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(result.stderr).not.toMatch(/^ +at /m);
  }
});
