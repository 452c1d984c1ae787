import { type OfficeCall, officeCalls } from '@ballot-beacon/contract/office/calls';
import { roleNames } from '@ballot-beacon/contract/office/roles';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addOffice,
  createTestApi,
  type TestApi,
  type TestBrowser,
  typed,
} from '../../../testing/api.ts';
import { addLoadingOffice } from '../../../testing/api-imports.ts';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { copyOffice, copyVoter } from '../../../testing/copy-rows.ts';
import { addPerson } from '../../../testing/people.ts';
import { uploadFile } from '../../../testing/uploads.ts';
import type { AccountId, VoterId } from '../platform/ids.ts';

/**
 * What somebody reads does not change because others have the same: another office with every row of this one, or another voter of
 * the office with the same story. Where a statement reads more than its own rows, something is counted or shown twice.
 */
let api: TestApi;
let beacon: Beacon;
let adams: AccountId;
let ann: VoterId;
let voter: TestBrowser;
let desk: TestBrowser;
const host = 'adams.localhost';
const daysAgo = (days: number) =>
  Temporal.Now.plainDateISO('America/New_York').subtract({ days }).toString();
const code = (voter: number) => `0071612345600000000${voter}`;
const back = (voter: number) => `0077712345600000000${voter}`;

beforeAll(async () => {
  api = await createTestApi();
  // The files are of days before today.
  api.clock.set(new Date().toISOString());
  beacon = createBeacon(api.test.url, { clock: api.clock });
  const office = await addLoadingOffice(api, { subdomain: 'adams' }, daysAgo(-30));
  adams = office.accountId;
  const load = async (format: string, ...lines: readonly string[]) =>
    expect(['done', 'file-held']).toContain(await office.load(format, lines.join('\n')));
  await load(
    'beacon-voters',
    'registration_id,firstname,lastname,birthdate,zipcode,address,phone,email',
    '1,Ann,Rivera,02/03/1970,34811,1 Main St,3525550101,ann@roll.example',
    '2,Bo,Lee,02/03/1971,34811,2 Main St,3525550102,bo@roll.example',
    '3,Cy,Fox,02/03/1972,34811,3 Main St,,',
  );
  const header =
    'registration_id,election,status,sent_on,returned_on,status_on,ballot_number,reason';
  const sent = daysAgo(20);
  await load('beacon-ballots', header, ...[1, 2, 3].map((id) => `${id},7,sent,${sent},,,B${id},`));
  await load(
    'beacon-mailpieces',
    'registration_id,election,outbound_imb,inbound_imb',
    ...[1, 2, 3].map((id) => `${id},7,${code(id)},${back(id)}`),
  );
  await load(
    'usps-iv-mtr',
    'imb,scanDatetime,mailPhase,handlingEventType,scanEventCode,scanFacilityCity,scanFacilityState',
    `${code(1)},${daysAgo(19)}T09:15:00,1a,A,517,PORT ALDEN,FL`,
    `${code(1)},${daysAgo(18)}T09:15:00,2a,A,517,BAYSIDE,FL`,
    `${code(2)},${daysAgo(19)}T10:15:00,1a,A,517,OAKTON,FL`,
    `${back(1)},${daysAgo(9)}T10:15:00,1a,A,517,OAKTON,FL`,
  );
  const returned = daysAgo(6);
  await load(
    'beacon-ballots',
    header,
    `1,7,rejected-curable,${sent},${returned},${daysAgo(5)},B1,No signature`,
    `2,7,accepted,${sent},${returned},${daysAgo(5)},B2,`,
    `3,7,sent,${sent},,,B3,`,
  );
  const [row] = await api.query<{ voter_id: VoterId }>(
    `select voter_id from voters where registration_id = '1'`,
  );
  if (!row) throw new Error('The voter is not on the roll.');
  ann = row.voter_id;
  voter = api.browser(host);
  expect((await voter.post('/api/voter/session', typed())).statusCode).toBe(201);
  const saved = await voter.patch('/api/voter/information/me', {
    ...{ email: 'ann@mail.example', email_opt_in: true, phone_sms: '352-555-0100' },
    ...{ sms_opt_in: true, language_preference: 'spanish' },
  });
  expect(saved.statusCode, saved.body).toBe(200);
  await api.query(`update contact_channels set status = 'proven'`);
  await addMessages();
  const person = await addPerson(api, { accountId: adams, host }, 'Cleo', roleNames);
  desk = person.browser;
  const noted = await desk.post(`/api/office/voters/${ann}/notes`, { text: 'Called.' });
  expect(noted.statusCode, noted.body).toBe(201);
  const ofAdams = ['--account', 'adams'];
  await beacon.do('release-note', 'add', ...ofAdams, '--text', '<p>Newer pages.</p>');
  await beacon.do('alert', 'set', ...ofAdams, '--language', 'english', '--text', 'Closed today.');
  await beacon.do('flag', 'set', ...ofAdams, 'voterOutage', 'on');
  await uploadFile(desk, 'list.csv', 'registration_id');
}, 120_000);
afterAll(async () => {
  beacon.remove();
  await api.close();
});

/** Messages of each channel and end, with what became of them. */
async function addMessages(): Promise<void> {
  await api.query(`
    insert into messages (account_id, kind, voter_id, ballot_id, status, channel, address, language, cause, state, deliver_after, sent_at)
    select b.account_id, 'status', b.voter_id, b.ballot_id, s.status, s.channel, s.channel || '@mail.example', 'english',
      'test ' || s.status || b.ballot_id, s.state::message_state, now(), now()
    from ballots b cross join (values ('sent', 'email', 'delivered'), ('rejected-curable', 'sms', 'sent'),
      ('accepted', 'email', 'failed-permanent'), ('in-transit', 'email', 'created')) s (status, channel, state)`);
  await api.query(`insert into receipts (account_id, message_id, provider, outcome)
    select account_id, message_id, 'local', 'delivered' from messages where state = 'delivered'`);
}

/** What was read, by what was asked. */
type Read = Readonly<Record<string, string>>;

async function get(browser: TestBrowser, url: string, query = {}): Promise<string> {
  const { statusCode, headers, body } = await browser.request({ url, query });
  expect(statusCode, `${url}: ${body}`).toBe(200);
  return `${headers['content-type']} ${body}`;
}

async function readVoter(): Promise<Read> {
  const [ballot] = await api.query<{ id: number }>(
    `select ballot_id as id from ballots where voter_id = $1`,
    [ann],
  );
  const answers: Record<string, string> = {};
  for (const path of [
    'information/me',
    'information',
    'ballot-status-progress/me?language=english',
    `ballot/${ballot?.id}/calendar?deadline=fix&language=english`,
    'no-ballot-status/english',
    'archive-ballot',
    'delivery-type',
    'branding',
    'faq?language=english',
    'release-note',
    'message',
    'message-origins',
    'performance',
  ]) {
    answers[path] = await get(voter, `/api/voter/${path}`);
  }
  return answers;
}

async function readVoterAtConsole(): Promise<Read> {
  const answers: Record<string, string> = {};
  answers.record = await get(desk, `/api/office/voters/${ann}`);
  const messages = await api.query<{ id: number }>(
    'select message_id as id from messages where voter_id = $1 order by 1',
    [ann],
  );
  for (const { id } of messages)
    answers[`message ${id}`] = await get(desk, `/api/office/messages/${id}`);
  answers['voter show'] = await beacon.do('voter', 'show', '1', '--account', 'adams');
  answers['ballot show'] = await beacon.do('ballot', 'show', '1', '--account', 'adams');
  return answers;
}

/** What calls of the console ask for. */
const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listTexts: { language: 'english' },
  getText: { text: 'faq', language: 'english' },
  sampleMessage: { text: 'messages:mail.accepted.subject', language: 'english' },
  downloadTranslations: { language: 'spanish' },
  getReport: { report: 'messages' },
  downloadReport: { report: 'status', election: '7' },
  downloadChart: { election: '7' },
  listBallots: { election: '7' },
};

/** These need the built page, or a file's refused rows, or show other offices' messages or each look by design. */
const apart = [
  ...['previewText', 'previewAppearance', 'showVoterPage', 'downloadRejects'],
  // Pictures of the chart that is read as SVG.
  ...['downloadChartPng', 'downloadChartPdf'],
  // Offices share senders, and each look at a voter is in the log.
  ...['getQueue', 'listLog', 'downloadLog'],
];

/** Each call of the console that only reads, and each such command. */
async function readOffice(): Promise<Read> {
  const answers: Record<string, string> = {};
  const ids = await Promise.all(
    ['message', 'import', 'upload', 'voter'].map(async (name) => {
      const [row] = await api.query<{ id: number }>(
        `select min(${name}_id) as id from ${name}s where account_id = $1`,
        [adams],
      );
      return [`:${name}_id`, String(row?.id)] as const;
    }),
  );
  for (const [name, { method, path }] of Object.entries(officeCalls) as [string, OfficeCall][]) {
    if (method !== 'GET' || apart.includes(name)) continue;
    const url = ids.reduce<string>((address, [key, id]) => address.replace(key, id), path);
    answers[name] = await get(desk, url, queries[name]);
  }
  for (const verb of [
    ...['imports', 'outbox', 'election list', 'flag list', 'translation list', 'sending show'],
    ...['cure days', 'cure list', 'account show', 'report registrations', 'report messages'],
    ...['report status --election 7', 'report fixes --election 7'],
  ])
    answers[verb] = await beacon.do(...verb.split(' '), '--account', 'adams');
  return answers;
}

test('what a voter and an office read is the same beside another office that has the same voters, files and messages', async () => {
  const before = {
    ...(await readVoter()),
    ...(await readVoterAtConsole()),
    ...(await readOffice()),
  };
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  await copyOffice(api.test, adams, lake);
  const after = {
    ...(await readVoter()),
    ...(await readVoterAtConsole()),
    ...(await readOffice()),
  };
  expect(after).toEqual(before);
});

test('what is read of a voter is the same beside another voter with the same story', async () => {
  const before = { ...(await readVoter()), ...(await readVoterAtConsole()) };
  await copyVoter(api.test, ann);
  expect({ ...(await readVoter()), ...(await readVoterAtConsole()) }).toEqual(before);
});
