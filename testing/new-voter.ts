import type { AccountId, VoterId } from '../server/src/platform/ids.ts';
import { addVoter, type TestApi, type TestBrowser, type TestVoter, typed } from './api.ts';

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
