import { afterEach, beforeEach, expect, test } from 'vitest';
import { addBallot, addOffice, addVoter } from '../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';

let office: TestOffice;
let beacon: Beacon;

beforeEach(async () => {
  office = await createTestOffice({ mail: { stids: { 270: 'outbound' } } });
  beacon = createBeacon(office.db.url);
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

test('a clerk with an envelope can look up what its barcode means and whose ballot it is', async () => {
  await office.addElection('7', '2026-11-03');
  const roll = 'registration_id,firstname,lastname,birthdate,zipcode\n17,Ann,Lee,01/02/1950,99301';
  await office.import('beacon-voters', roll);
  await office.import('beacon-ballots', 'registration_id,election,status\n17,7,sent');
  await office.import(
    'beacon-mailpieces',
    'registration_id,election,imb,mailed_on\n17,7,0074112345600000000199301,2026-10-05',
  );

  const output = await beacon.do('imb', '00', '741', '123456', '000000001', '--account', 'adams');
  expect(output).toMatch(/^Service type +741, outbound, USPS Marketing Mail, full-service$/m);
  expect(output).toMatch(/^Mailer ID +123456$/m);
  expect(output).toMatch(/^Ballot +voter 17, election 7, outbound, mailed 10\/05\/2026, sent$/m);
  expect(output).toMatch(/^Scans +0$/m);

  const { bars } = JSON.parse(await beacon.do('imb', '0074112345600000000199301', '--json'));
  const back = JSON.parse(await beacon.do('imb', bars, '--json', '--account', 'adams'));
  expect(back).toEqual({
    barcode_id: '00',
    service_type: '741',
    mailer_id: '123456',
    serial_number: '000000001',
    routing_code: '99301',
    tracking_code: '00741123456000000001',
    bars,
    direction: 'outbound',
    ballots: [
      {
        registration_id: '17',
        election: '7',
        ballot_number: '',
        direction: 'outbound',
        mailed_on: '2026-10-05',
        status: 'sent',
      },
    ],
    scans: 0,
  });
});

test('of a barcode that was used again the ballot it is on now comes first, and neither a confidential voter’s nor another office’s', async () => {
  await office.addElection('7', '2026-11-03');
  const { database } = office.db;
  const used = [
    ['adams', '17', false],
    ['adams', '18', true],
    ['adams', '19', false],
    ['lake', '20', false],
  ] as const;
  const lake = await addOffice({ database }, { subdomain: 'lake' });
  for (const [subdomain, id, isConfidential] of used) {
    const accountId = subdomain === 'lake' ? lake : office.account.accountId;
    const voter = { registration_id: id, is_confidential: isConfidential };
    const voterId = await addVoter(office.db, accountId, voter);
    const ballotId = await addBallot(office.db, accountId, voterId, { election: '7', events: [] });
    await database.systemPool.query(
      `insert into mail_pieces (account_id, ballot_id, direction, tracking_code)
       values ($1, $2, 'outbound', '00741123456000000001')`,
      [accountId, ballotId],
    );
    await database.systemPool.query(
      `insert into mail_scans (account_id, tracking_code, routing_code, scanned_at, event_type, op_code, mail_phase, facility_city, facility_state, facility_zip)
       values ($1, '00741123456000000001', '', now() + $2 * interval '1 hour', 'A', '517', '1a', '', '', '')`,
      [accountId, Number(id)],
    );
  }
  const show = async (account: string) =>
    JSON.parse(await beacon.do('imb', '0074112345600000000199301', '--json', '--account', account));
  expect(await show('adams')).toMatchObject({
    ballots: [{ registration_id: '19' }, { registration_id: '17' }],
    scans: 3,
  });
  expect(await show('lake')).toMatchObject({ ballots: [{ registration_id: '20' }], scans: 1 });
});

test('an office’s own service type sets the direction only in its account', async () => {
  const digits = '00270123456000000001348110001';
  expect(await beacon.do('imb', digits)).toMatch(
    /^Direction +unknown: scans are stored but not shown/m,
  );
  const own = await beacon.do('imb', digits, '--account', 'adams');
  expect(own).toMatch(/^Direction +outbound$/m);
  expect(own).toMatch(/^Routing code +ZIP 34811-0001$/m);
  expect(own).toMatch(/^Ballot +none: no mail-piece file/m);
});

test('text that is not a barcode is refused with the reason', async () => {
  expect(await beacon.run('imb', '0741123456000000001')).toMatchObject({
    code: 1,
    stderr:
      'The barcode has 19 digits, and a barcode has 20, 25, 29 or 31 (was a leading zero lost?).\n',
  });
  expect(await beacon.run('imb', '00741123456000000001', '--account', 'nobody')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Account nobody does not exist'),
  });
});

test('the barcode that cannot be read is named among several', async () => {
  const good = '0074112345600000000199301';
  const output = await beacon.do('imb', good, '00741123456000000002');
  expect(output.match(/^Tracking code.*$/gm)).toEqual([
    'Tracking code  00741123456000000001',
    'Tracking code  00741123456000000002',
  ]);
  expect(await beacon.run('imb', good, '0074112345600000000299', good)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Barcode 2 of 3, 0074112345600000000299, has 22 digits/),
  });
});

test.each([
  ['00741123456000000001', /^Barcode 2 of 2, 12, has 2 digits/],
  ['0741123456000000001', /^The barcode has 21 digits/],
])('beside %s two more digits are read as what they are', async (part, words) => {
  const { stderr } = await beacon.run('imb', part, '12');
  expect(stderr).toMatch(words);
});

test('a reader of the output that stops reading, such as head, is no error', async () => {
  const { child, result } = beacon.start('format', 'show', 'nc-absentee');
  child.stdout?.destroy();
  expect(await result).toMatchObject({ code: 0, stderr: '' });
});
