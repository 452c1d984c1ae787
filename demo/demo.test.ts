import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isLanguage } from '../contract/src/languages.ts';
import { Credentials, parseBirthdate } from '../contract/src/session.ts';
import { type BallotStatus, isBallotStatus } from '../contract/src/statuses.ts';
import { type CastMember, cast, firstToTry, situations } from './cast.ts';
import { foldName } from './generator/names.ts';
import { makeDemo } from './make-demo.ts';

type Row = Readonly<Record<string, string>>;
interface Election {
  readonly number: string;
  readonly date: string;
  readonly active: boolean;
}
interface Loading {
  readonly subdomain: 'demo' | 'lake';
  readonly account: string;
  readonly elections: string;
  readonly imports: readonly { readonly file: string; readonly format: string }[];
}

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8');
const manifest: readonly Loading[] = JSON.parse(read('manifest.json'));
const members = situations.map((situation): CastMember => cast[situation]);

const ballotHeader =
  'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,VbmRequestPrecinct,VbmParty,RejectionReason,RejectionDescription,IsReinstated,IsSignatureRelatedReason';
const masterHeader =
  '"Voter ID","First Name","Last Name","Middle Name","Birth Date","Zip Code","County of Residence","Private Home Phone","Private Mobile Phone","Area Code","Phone Number","Email Address","Public Email Address"';

test('the files are byte for byte what make-demo.ts writes', () => {
  const files = makeDemo();
  for (const [file, text] of files) expect(read(file) === text, file).toBe(true);

  const onDisk = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const data = onDisk.filter((file) => file.endsWith('.csv'));
  expect(data.sort()).toEqual([...files.keys()].filter((file) => file.endsWith('.csv')).sort());
});

const applicationsAndMail = [
  'demo/applications/beacon-applications-2026-11-20.csv',
  ...['demo/mail/mail-pieces-217.csv', 'demo/mail/scans-217.json'],
];

test('the manifest loads every file of a county: voters, then ballots in the order written, then their envelopes and scans', () => {
  for (const { subdomain, imports } of manifest) {
    const files = imports.map(({ file }) => file);
    const ballots = readdirSync(path.join(import.meta.dirname, subdomain, 'ballots')).sort();
    expect(files).toEqual([
      `${subdomain}/voters.csv`,
      ...ballots.map((file) => `${subdomain}/ballots/${file}`),
      ...(subdomain === 'demo' ? applicationsAndMail : []),
    ]);
  }
});

test('the files match the formats they claim', () => {
  for (const { file, format } of manifest.flatMap(({ imports }) => imports)) {
    const text = read(file);
    const lines = text.split('\n');
    expect(lines.at(-1), `${file} ends with a whole line`).toBe('');
    expect(text.includes('\uFFFD'), `${file} is UTF-8`).toBe(false);
    if (format === 'usps-iv-mtr') {
      checkScans(text);
      continue;
    }
    if (format.startsWith('beacon-')) expect(text).not.toContain('\r');
    else for (const line of lines.slice(0, -1)) expect(line.endsWith('\r')).toBe(true);

    if (format === 'voter-focus-voters') expect(lines[0]).toBe(`${masterHeader}\r`);
    if (format === 'voter-focus-ballots') expect(lines[0]).toBe(`${ballotHeader}\r`);
    for (const row of readCsv(text)) checkRow(format, row);
  }
});

test('beacon-voters has the columns that its page describes', () => {
  const page = read('../docs/formats/beacon-voters.md');
  const described = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map((match) => match[1]);
  const [header = ''] = read('lake/voters.csv').split('\n');
  // With a birth date the year is redundant, and the file's name bears its day.
  const redundant = ['birthyear', 'exported_on'];
  expect(header.split(',')).toEqual(described.filter((column = '') => !redundant.includes(column)));
});

test('the demo has a row with every ballot status and about two thousand voters', () => {
  expect(manifest.map(({ subdomain }) => readRoll(subdomain).length)).toEqual([1418, 600]);
  expect(countStatuses('demo', ['217', '218'])).toEqual(expectedCounts.demo);
  expect(countStatuses('lake', ['65'])).toEqual(expectedCounts.lake);

  const raw = readBallotRows('demo').map((row) => row.BallotStatus);
  expect([...new Set(raw)].sort()).toEqual([
    'Accepted',
    'Canvassing',
    'Outbound',
    'Rejected',
    'RejectedCurable',
    'Requested',
    'Undeliverable',
  ]);
});

test('every ballot belongs to a voter on the roll and to an election of the account', () => {
  for (const { subdomain } of manifest) {
    const voters = new Set(readRoll(subdomain).map((voter) => voter.registrationId));
    const elections = new Set(readElections(subdomain).map(({ number }) => number));
    for (const row of readBallotRows(subdomain)) {
      expect(voters.has(row.VoterID ?? ''), `voter ${row.VoterID}`).toBe(true);
      expect(elections.has(row.ElectionNumber ?? ''), `election ${row.ElectionNumber}`).toBe(true);
    }
  }
});

test('each cast member is on the roll as typed into the login form', () => {
  for (const member of members) {
    const voter = readRoll(member.account).find(
      ({ registrationId }) => registrationId === member.registrationId,
    );
    expect(voter?.identity, member.shows).toBe(
      identify({ ...member.typed, birthdate: parseBirthdate(member.typed.birthdate) ?? '' }),
    );
    expect(voter?.token, member.shows).toBe(member.token ?? '');
    expect(voter?.mayLogIn, member.shows).toBe(member.signsIn);
    const typed = { ...member.typed, recaptcha: 'off', provided_voter_id: member.registrationId };
    expect(Credentials.safeParse(typed).success, member.shows).toBe(true);
  }
});

test('only the voters marked as ambiguous match another voter, and each of them does', () => {
  for (const { subdomain } of manifest) {
    const alike = Map.groupBy(readRoll(subdomain), ({ identity }) => identity);
    const doubles = [...alike.values()].filter((voters) => voters.length > 1).flat();
    const announced = members.filter(
      (member) => member.account === subdomain && member.isAmbiguous,
    );
    expect(doubles.map(({ registrationId }) => registrationId).sort()).toEqual(
      announced.map(({ registrationId }) => registrationId).sort(),
    );
  }
});

test("each cast member's ballots have the announced status once all files are loaded", () => {
  for (const { subdomain } of manifest) {
    const standing = new Map(readStanding(subdomain));
    // The office's record applies until USPS has scanned the envelope further along.
    const seen = subdomain === 'demo' ? readSeen() : [];
    for (const [key, status] of seen) if (standing.get(key) === 'sent') standing.set(key, status);
    const newestFirst = readElections(subdomain).toSorted((a, b) => (a.date < b.date ? 1 : -1));
    for (const member of members.filter(({ account }) => account === subdomain)) {
      const ballots = newestFirst.flatMap(({ number, active }) => {
        const status = standing.get(`${number} ${member.registrationId}`);
        return status ? [{ election: number, status, isCurrent: active }] : [];
      });
      expect(ballots, member.shows).toEqual(member.ballots);
    }
  }
});

test('the first voters to try sign in without being asked for a voter ID', () => {
  for (const { subdomain } of manifest) {
    const member: CastMember = cast[firstToTry[subdomain]];
    expect(member).toMatchObject({ account: subdomain, signsIn: true });
    expect(member.isAmbiguous).toBeUndefined();
  }
});

test('nobody can be reached: all phone numbers and addresses are reserved for examples', () => {
  for (const file of ['demo/voters.csv', 'lake/voters.csv']) {
    const text = read(file);
    for (const [number] of text.matchAll(/\b\d{3}-\d{4}\b/g)) {
      expect(number).toMatch(/^555-01\d\d$/);
    }
    for (const [address] of text.matchAll(/[^",\s]+@[^",\s]+/g)) {
      expect(address).toMatch(/^[a-z.]+\.\d{4}@example\.com$/);
    }
  }
  for (const { account } of manifest) {
    const { contact_phone, from_voice, contact_email, url } = JSON.parse(read(account));
    for (const number of [contact_phone, from_voice]) expect(number).toMatch(/^\+1\d{3}55501\d\d$/);
    for (const name of [contact_email, url]) expect(name).toMatch(/\.example$/);
  }
});

test('voters are from eighteen to a hundred and two years old', () => {
  const births = manifest.flatMap(({ subdomain }) => readRoll(subdomain)).map((v) => v.birthdate);
  expect(births.toSorted().at(0)).toBe('1924-01-26');
  expect(births.toSorted().at(-1)).toBe('2008-10-30');
});

/** Ballots of current elections by the status that voters see. */
const expectedCounts = {
  demo: {
    requested: 5,
    sent: 669,
    reprinted: 9,
    returned: 47,
    accepted: 356,
    'rejected-curable': 13,
    rejected: 5,
    undeliverable: 28,
    'application-received': 1,
    'application-incomplete': 1,
    'application-approved': 1,
    'application-refused': 1,
  },
  lake: {
    requested: 1,
    sent: 210,
    reprinted: 3,
    returned: 20,
    accepted: 142,
    'rejected-curable': 3,
    rejected: 1,
    undeliverable: 4,
  },
};

interface RollVoter {
  readonly registrationId: string;
  readonly identity: string;
  readonly birthdate: string;
  readonly token: string;
  readonly mayLogIn: boolean;
}

function readRoll(subdomain: 'demo' | 'lake'): readonly RollVoter[] {
  return readCsv(read(`${subdomain}/voters.csv`)).map((row) => {
    const voter = {
      firstname: row.firstname ?? row['First Name'] ?? '',
      lastname: row.lastname ?? row['Last Name'] ?? '',
      zipcode: row.zipcode ?? row['Zip Code'] ?? '',
      birthdate: row.birthdate ?? isoDay(row['Birth Date']) ?? '',
    };
    return {
      registrationId: row.registration_id ?? row['Voter ID'] ?? '',
      identity: identify(voter),
      birthdate: voter.birthdate,
      token: row.security_token ?? '',
      mayLogIn: row.is_active !== 'false' && row.is_confidential !== 'true',
    };
  });
}

/** What login compares, as `docs/formats` and the login page describe. */
function identify(voter: {
  firstname: string;
  lastname: string;
  zipcode: string;
  birthdate: string;
}) {
  const names = [voter.firstname, voter.lastname].map(foldName);
  return [...names, voter.zipcode.slice(0, 5), voter.birthdate].join('|');
}

function readElections(subdomain: string): readonly Election[] {
  return JSON.parse(read(`${subdomain}/elections.json`));
}

function readRows(subdomain: string, formats: readonly string[]): readonly Row[] {
  const imports = manifest.find((loading) => loading.subdomain === subdomain)?.imports ?? [];
  const files = imports.filter(({ format }) => formats.includes(format));
  return files.flatMap(({ file }) => readCsv(read(file)));
}

const readBallotRows = (subdomain: string) => readRows(subdomain, ['voter-focus-ballots']);
/** The rows of the product's own formats, which say what the office's vendor does not. */
const readOwnRows = (subdomain: string) =>
  readRows(subdomain, ['beacon-ballots', 'beacon-applications']);

/** Each ballot's status by `election voterId`, read as `docs/formats/voter-focus.md` says. */
function readStanding(subdomain: string): ReadonlyMap<string, BallotStatus> {
  const standing = new Map<string, BallotStatus>();
  const lastRows = new Map<string, Row>();
  for (const row of readBallotRows(subdomain)) {
    const key = `${row.ElectionNumber} ${row.VoterID}`;
    const before = lastRows.get(key);
    // A row equal to the last row changes nothing.
    if (JSON.stringify(row) === JSON.stringify(before)) continue;
    const mailedBefore = isoDay(before?.MailedDate);
    const isReplacement =
      mailedBefore !== undefined && (isoDay(row.MailedDate) ?? '') > mailedBefore;
    const status = statusOf(row, isReplacement);
    if (status) standing.set(key, status);
    lastRows.set(key, row);
  }
  for (const { registration_id: voter, election, ...row } of readOwnRows(subdomain)) {
    const status = row.status ?? `application-${row.application_status}`;
    if (isBallotStatus(status)) standing.set(`${election} ${voter}`, status);
  }
  return standing;
}

function statusOf(row: Row, isReplacement: boolean): BallotStatus | undefined {
  if (row.BallotStatus === 'Outbound') {
    if (row.ReturnedDate) return 'returned';
    return isReplacement ? 'reprinted' : 'sent';
  }
  const known: Record<string, BallotStatus> = {
    Requested: 'requested',
    Accepted: 'accepted',
    Rejected: 'rejected',
    RejectedCurable: 'rejected-curable',
    Undeliverable: 'undeliverable',
  };
  return known[row.BallotStatus ?? ''];
}

function countStatuses(subdomain: string, elections: readonly string[]) {
  const counts: Partial<Record<BallotStatus, number>> = {};
  for (const [key, status] of readStanding(subdomain)) {
    if (elections.includes(key.split(' ')[0] ?? '')) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

/** What the last scan of each envelope says, by election and voter. */
function readSeen(): ReadonlyMap<string, BallotStatus> {
  const { events }: { events: { imb: string; mailPhase: string; scanDatetime: string }[] } =
    JSON.parse(read('demo/mail/scans-217.json'));
  const pieces = [...readCsv(read('demo/mail/mail-pieces-217.csv'))];
  const seen = new Map<string, BallotStatus>();
  for (const { imb, mailPhase } of events.toSorted((a, b) =>
    a.scanDatetime < b.scanDatetime ? -1 : 1,
  )) {
    const piece = pieces.find((row) => row.outbound_imb === imb || row.inbound_imb === imb);
    const isOut = piece?.outbound_imb === imb;
    const status = mailPhase.startsWith('Phase 4') ? 'delivered' : 'in-transit';
    seen.set(`${piece?.election} ${piece?.registration_id}`, isOut ? status : 'return-in-transit');
  }
  return seen;
}

/** Every scan belongs to an envelope in the mail house's file. */
function checkScans(text: string) {
  const { recCnt, events }: { recCnt: number; events: { imb: string; scanDatetime: string }[] } =
    JSON.parse(text);
  const pieces = read('demo/mail/mail-pieces-217.csv');
  expect(events.length).toBe(recCnt);
  for (const { imb, scanDatetime } of events) {
    expect(pieces).toContain(imb);
    expect(scanDatetime).toMatch(/^2026-1[01]-\d\dT\d\d:\d\d:\d\d$/);
  }
}

function checkRow(format: string, row: Row) {
  const at = JSON.stringify(row);
  if (format === 'beacon-mailpieces') {
    expect(row.outbound_imb, at).toMatch(/^00741000555[89]9\d{7}348\d{2}(\d{4})?$/);
    expect(row.inbound_imb, at).toMatch(/^00778000555[89]9\d{7}34811000199$/);
    expect(row.mailed_on, at).toMatch(/^2026-1[01]-\d\d$/);
    return;
  }
  if (format === 'beacon-ballots' || format === 'beacon-applications') {
    expect(row.registration_id, at).toMatch(/^990\d{6}$/);
    for (const day of [row.sent_on, row.returned_on, row.status_on, row.decided_on])
      expect(day ?? '', at).toMatch(/^$|^2026-1[01]-\d\d$/);
    return;
  }
  if (format === 'voter-focus-ballots') {
    for (const day of [row.MailedDate, row.ReturnedDate])
      expect(day, at).toMatch(/^$|^\d\d\/\d\d\/2026$/);
    for (const flag of [row.IsReinstated, row.IsSignatureRelatedReason]) {
      expect(flag, at).toMatch(/^(TRUE|FALSE)$/);
    }
    expect(row.RejectionReason, at).toMatch(/^[A-Z]?$/);
    expect((row.RejectionReason === '') === (row.RejectionDescription === ''), at).toBe(true);
    expect((isoDay(row.ReturnedDate) ?? '9') >= (isoDay(row.MailedDate) ?? ''), at).toBe(true);
    expect((row.BallotStatus === 'Requested') === (row.MailedDate === ''), at).toBe(true);
    expect(isoDay(row.ReturnedDate) ?? '', at).not.toMatch(/2026-11-2[1-9]|2026-12/);
    return;
  }
  expect(row.zipcode ?? row['Zip Code'], at).toMatch(/^34[58]\d\d(-\d{4})?$/);
  expect(row.registration_id ?? row['Voter ID'], at).toMatch(/^(004\d{5}|990\d{6})$/);
  const { language_preference: language = '' } = row;
  expect(language === '' || isLanguage(language), at).toBe(true);
  for (const name of ['firstname', 'lastname', 'First Name', 'Last Name']) {
    expect((row[name] ?? '').length, at).toBeLessThanOrEqual(60);
  }
  expect(row.security_token ?? '', at).toMatch(/^$|^[A-Z0-9]{4}-[A-Z0-9]{4}$/);
}

function isoDay(slashed: string | undefined): string | undefined {
  const [month, day, year] = slashed?.split('/') ?? [];
  return month && day && year ? `${year}-${month}-${day}` : undefined;
}

/** An RFC 4180 parser independent of the generator: one record per match, quotes removed. */
function readCsv(text: string): readonly Row[] {
  const records: string[][] = [[]];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n)/g)) {
    records.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] !== ',') records.push([]);
  }
  const [header = [], ...rows] = records.slice(0, -1);
  return rows.map((fields) => {
    if (fields.length !== header.length) throw new Error(`${fields.length} fields: ${fields}`);
    return Object.fromEntries(header.map((column, index) => [column, fields[index] ?? '']));
  });
}
