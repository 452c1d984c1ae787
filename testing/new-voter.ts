import type { AccountId, VoterId } from '../server/src/platform/ids.ts';
import {
  addBallot,
  addVoter,
  type TestApi,
  type TestBrowser,
  type TestVoter,
  typed,
} from './api.ts';

let names = 0;

/** A lastname that no other voter has; in letters alone, for a number is no name. */
export function newLastname(): string {
  names += 1;
  return `Voter${[...String(names)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
}

export interface NewVoter {
  readonly voterId: VoterId;
  readonly lastname: string;
  readonly browser: TestBrowser;
}

/** Puts a voter of a name of their own on the office's roll, and signs them in at `host`. */
export async function signInNewVoter(
  api: TestApi,
  { accountId, host }: { readonly accountId: AccountId; readonly host: string },
  voter: TestVoter = {},
): Promise<NewVoter> {
  const lastname = newLastname();
  const voterId = await addVoter(api.test, accountId, { ...voter, lastname });
  const browser = api.browser(host);
  await browser.post('/api/voter/session', typed({ lastname }));
  return { voterId, lastname, browser };
}

/** Gives a voter a ballot with a QR code. @returns the code */
export async function printCode(
  { test }: TestApi,
  accountId: AccountId,
  voterId: VoterId,
): Promise<string> {
  const ballotId = await addBallot(test, accountId, voterId, { events: [{ status: 'sent' }] });
  const { rows } = await test.database.systemPool.query<{ guid: string }>(
    'insert into ballot_codes (account_id, ballot_id) values ($1, $2) returning guid',
    [accountId, ballotId],
  );
  const [row] = rows;
  if (!row) throw new Error('The ballot has no code.');
  return row.guid;
}

/** Signs a voter in with a ballot's QR code, which shows that it is the voter. */
export async function signInByPaper(
  api: TestApi,
  { accountId, host }: { readonly accountId: AccountId; readonly host: string },
  voterId: VoterId,
): Promise<TestBrowser> {
  const ballot_guid = await printCode(api, accountId, voterId);
  const browser = api.browser(host);
  const body = { ballot_guid, date_of_birth: '02-03-1970' };
  const { statusCode } = await browser.post('/api/voter/ballot-login', body);
  if (statusCode !== 201) throw new Error(`The QR code was answered ${statusCode}.`);
  return browser;
}
