import type { Browser, BrowserContext } from '@playwright/test';
import { asOfNow } from '../../testing/demo-days.ts';
import { signUp } from '../file-steps.ts';
import { type Office, openOffice, runCommand } from '../office.ts';
import { join } from '../people.ts';

type Cookies = Parameters<BrowserContext['addCookies']>[0];

/** An office in the middle of its work, and its people's cookies. */
export interface ConsoleOffice extends Office {
  /** Of a person who may do everything there. */
  readonly cookies: Cookies;
  /** Of a person who may see counts alone. */
  readonly viewer: Cookies;
}

const everyRole = [
  ...['clerk', 'confidential-clerk', 'importer', 'releaser', 'editor', 'admin'],
] as const;

const names = [
  ...['Abel Ortiz', 'Bea Lindqvist', 'Cora Whitfield', 'Dion Baptiste', 'Elsa Marchetti'],
  ...['Femi Adeyemi', 'Greta Sandoval', 'Hollis Crane', 'Imani Brooks', 'Jonas Petrov'],
  ...['Keiko Tanaka', 'Lucius Vandermeer', 'Marisol Echeverría-Castellanos', 'Nils Aker'],
  ...['Odette Novak', 'Pavel Novak', 'Quinn Hargrove', 'Rhea Banerjee', 'Silas Monroe'],
  ...['Tova Lieberman', 'Ulla Brandt', 'Viktor Hale', 'Wren Castillo', 'Ximena Duarte'],
] as const;

/** What became of the ballot of each voter, in the order of the names. */
const ballots = [
  ...['sent', 'sent', 'sent', 'sent', 'sent', 'returned', 'returned', 'returned', 'accepted'],
  ...['accepted', 'accepted', 'accepted', 'accepted', 'printed', 'requested', 'undeliverable'],
  ...['rejected', 'cancelled', 'reprinted'],
] as const;

/** Envelopes to fix, of the voters that follow: code and reason of the file. */
const problems = ['No signature', 'Signature differs', 'No ID', 'Signature differs'] as const;

const idOf = (at: number) => `M-${100 + at}`;

function writeRoll(): string {
  const rows = names.map((name, at) => {
    const [first, last] = name.split(' ');
    const day = `19${50 + at}-0${1 + (at % 9)}-1${at % 10}`;
    const contact = `352555${String(1000 + at)},${first?.toLowerCase()}@example.com`;
    const isConfidential = at === names.length - 1;
    return `${idOf(at)},${first},${last},${day},${10 + at} Cypress Street,Marlowe Springs,FL,32001,Marlowe,P-${1 + (at % 4)},${contact},${isConfidential}`;
  });
  const header =
    'registration_id,firstname,lastname,birthdate,address,city,state,zipcode,county,precinct,phone,email,is_confidential';
  return [header, ...rows, ''].join('\n');
}

const ballotHeader =
  'registration_id,election,ballot_number,status,sent_on,returned_on,status_on,reason';

function writeBallots(): string {
  const plain = ballots.map((status, at) => {
    const returned = ['returned', 'accepted', 'rejected', 'undeliverable'].includes(status);
    return `${idOf(at)},2,B-${500 + at},${status},2026-11-02,${returned ? '2026-11-16' : ''},,`;
  });
  const toFix = problems.map((reason, index) => {
    const at = ballots.length + index;
    return `${idOf(at)},2,B-${500 + at},rejected-curable,2026-11-02,2026-11-17,,${reason}`;
  });
  const own = 'M-1,2,,returned,2026-11-01,2026-11-19,,';
  const unknown = 'M-999,2,B-999,sent,2026-11-02,,,';
  return asOfNow([ballotHeader, ...plain, ...toFix, own, unknown, ''].join('\n'));
}

/** Makes the office: voters, ballots of every status, messages, files that wait and were refused, people and texts. */
export async function openConsoleOffice(
  browser: Browser,
  baseURL: string | undefined,
): Promise<ConsoleOffice> {
  const office = await openOffice(baseURL, {
    phone_hours: [{ days: 'mon-fri', open: '08:00', close: '17:00' }],
    feeds: { 'beacon-ballots': { every_hours: 26 }, 'usps-scans': { every_hours: 6 } },
    import_limits: { refused_percent: 50 },
  });
  const of = ['--account', office.subdomain];
  const load = (name: string, content: string, format: string, ...more: string[]) =>
    runCommand('import', office.write(name, content), ...of, '--format', format, ...more);
  await load('voters-november.csv', writeRoll(), 'beacon-voters');
  const voter = await (await browser.newContext()).newPage();
  await signUp(voter, office);
  await voter.context().close();
  await load('ballots-november.csv', writeBallots(), 'beacon-ballots');
  // A whole roll that lacks most of the voters waits, and a file of another shape is refused.
  const few = writeRoll().split('\n').slice(0, 6).join('\n');
  await expectExit(3, load('voters-friday.csv', `${few}\n`, 'beacon-voters', '--full'));
  await expectExit(1, load('voters-draft.csv', 'name,street\nAbel,Cypress\n', 'beacon-voters'));
  await runCommand('person', 'invite', ...of, '--name', 'Nell Fox', '--role', 'viewer');

  const signIn = async (name: string, roles: readonly string[]) => {
    const context = await browser.newContext();
    await join(await context.newPage(), office, name, ...roles);
    const cookies = await context.cookies();
    await context.close();
    return cookies;
  };
  const viewer = await signIn('Vera Long', ['viewer']);
  return { ...office, viewer, cookies: await signIn('Ada Wu', everyRole) };
}

async function expectExit(code: number, running: Promise<string>): Promise<void> {
  const ended = await running.catch((error: Error) => error.message);
  if (!ended.includes(`ended with ${code}:`)) throw new Error(`Not refused: ${ended}`);
}
