import type { BallotsAnswer } from '@ballot-beacon/contract/office/ballots';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../../testing/beacon.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';

let api: TestApi;
let beacon: Beacon;
let clerk: TestPerson;
let neighbor: TestPerson;

/** Two offices with the same voter IDs and election numbers. */
beforeAll(async () => {
  api = await createTestApi();
  beacon = createBeacon(api.test.url, { clock: api.clock });
  clerk = await open('adams', 'Cleo Marsh');
  neighbor = await open('lake', 'Bo Li');
  // Since when a ballot has its status is not its first day in any file.
  await load('adams', ['V-102,G26,B-102,requested,2026-11-08']);
  await load('adams', [
    ...ballotsOf('G26', 'sent', range(1, 101)),
    ...ballotsOf('G26', 'requested', [102, 103, 104]),
    ...ballotsOf('P26', 'requested', [1, 52]),
    ...ballotsOf('P26', 'sent', [50]),
  ]);
  const applications = [50, 51, 52].map((n) => `V-${n},P26,approved,2026-11-01,2026-11-03`);
  await load('adams', applications, 'applications');
  await load('lake', ballotsOf('G26', 'requested', [7]));
});
afterAll(async () => {
  beacon.remove();
  await api.close();
});
beforeEach(async () => {
  await clerk.signIn();
  await neighbor.signIn();
});

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);
const ballotsOf = (election: string, status: string, voters: readonly number[]) =>
  voters.map((voter) => `V-${voter},${election},B-${voter},${status},2026-11-10`);

async function open(subdomain: string, name: string): Promise<TestPerson> {
  const accountId = await addOffice(api.test, { subdomain });
  const of = ['--account', subdomain];
  for (const number of ['G26', 'P26'])
    await beacon.do(
      ...['election', 'set', ...of, '--number', number, '--name', number],
      ...['--date', '2026-12-08', '--active', 'true'],
    );
  const header =
    'registration_id,firstname,lastname,zipcode,birthdate,county,state,is_confidential';
  // The last is protected by law.
  const voters = range(1, 104).map(
    (n) => `V-${n},Ann,Rivera,34811,1970-02-03,Test,FL,${n === 104 ? 'yes' : ''}`,
  );
  const roll = beacon.write(`${subdomain}-roll.csv`, `${[header, ...voters].join('\n')}\n`);
  await beacon.do('import', roll, ...of, '--format', 'beacon-voters');
  return addPerson(api, { accountId, host: `${subdomain}.localhost` }, name, ['clerk']);
}

const headers = {
  ballots: 'registration_id,election,ballot_number,status,status_on',
  applications: 'registration_id,election,application_status,received_on,decided_on',
};

async function load(
  subdomain: string,
  rows: readonly string[],
  what: keyof typeof headers = 'ballots',
): Promise<void> {
  const text = `${[headers[what], ...rows].join('\n')}\n`;
  const file = beacon.write(`${subdomain}-${what}.csv`, text);
  await beacon.do('import', file, '--account', subdomain, '--format', `beacon-${what}`);
}

const ask = (query: Record<string, string>, { browser } = clerk) =>
  browser.get(`/api/office/ballots?${new URLSearchParams(query)}`);
const list = async (query: Record<string, string>, person = clerk): Promise<BallotsAnswer> => {
  const answer = await ask(query, person);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const numbersOf = ({ ballots }: BallotsAnswer) =>
  ballots.map(({ ballot_number: number }) => Number(number.slice(2))).sort((a, b) => a - b);

test('a clerk reads whose ballots have a status, of this office and this election alone, without confidential voters', async () => {
  const asked = { election: 'G26', status: 'requested' };
  const found = await list(asked);
  expect(numbersOf(found)).toEqual([102, 103]);
  expect(found.next).toBeNull();
  expect(found.ballots.find(({ ballot_number: number }) => number === 'B-102')).toMatchObject({
    status: 'requested',
    since: '2026-11-10',
    name: 'Ann Rivera',
    registration_id: 'V-102',
  });
  expect(numbersOf(await list({ ...asked, election: 'P26' }))).toEqual([1]);
  expect(numbersOf(await list({ ...asked, election: 'S26' }))).toEqual([]);
  for (const status of ['none', 'application-incomplete'])
    expect(numbersOf(await list({ ...asked, status }))).toEqual([]);
  expect(numbersOf(await list(asked, neighbor))).toEqual([7]);
});

test('an application is listed while its ballot is at most asked for, and the ballot after that', async () => {
  const votersOf = async (status: string) => {
    const { ballots } = await list({ election: 'P26', status });
    return ballots.map(({ registration_id: id }) => id).sort();
  };
  expect(await votersOf('application-approved')).toEqual(['V-51', 'V-52']);
  expect(await votersOf('requested')).toEqual(['V-1']);
  expect(await votersOf('sent')).toEqual(['V-50']);
});

test('a list of more than a page goes on by key, and each look is on record', async () => {
  const asked = { election: 'G26', status: 'sent' };
  const first = await list(asked);
  expect(first.ballots).toHaveLength(100);
  const rest = await list({ ...asked, before: String(first.next) });
  expect(rest.next).toBeNull();
  const ballots = [...first.ballots, ...rest.ballots];
  expect(numbersOf({ ballots, next: null })).toEqual(range(1, 101));
  const looks = await api.query<{ actor: string; details: object }>(
    `select actor, details from audit_log where action = 'ballot.list' order by audit_id desc limit 2`,
  );
  expect(looks.map(({ details }) => details)).toEqual([
    { ...asked, before: first.next, count: 1 },
    { ...asked, count: 100 },
  ]);
  for (const { actor } of looks) expect(actor).toMatch(/^person:passkey\|/);
});

test('a list without an election, or of something that is no status, is refused', async () => {
  expect((await ask({ status: 'sent' })).statusCode).toBe(400);
  expect((await ask({ election: 'G26', status: `x' or '1'='1` })).statusCode).toBe(400);
});
