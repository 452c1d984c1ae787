import { codeOfCommandSession } from '@ballot-beacon/contract/office/people';
import type { Role } from '@ballot-beacon/contract/office/roles';
import { expect } from 'vitest';
import { invite } from '../server/src/modules/people/index.ts';
import type { AccountId } from '../server/src/platform/ids.ts';
import type { TestApi, TestBrowser } from './api.ts';
import { createTestPasskey, type TestPasskey } from './authenticator.ts';

/** A person of an office, signed in to its console. */
export interface TestPerson {
  readonly browser: TestBrowser;
  readonly passkey: TestPasskey;
  readonly personId: number;
  /** Signs in again, in the same browser or another. */
  signIn(browser?: TestBrowser): Promise<void>;
}

/**
 * Invites somebody to an office as an operator does, and has the person accept in a browser on the office's host.
 *
 * @param office.scheme of the address that the browser shows
 */
export async function addPerson(
  api: TestApi,
  office: {
    readonly accountId: AccountId;
    readonly host: string;
    readonly scheme?: 'http' | 'https';
  },
  name: string,
  roles: readonly Role[],
): Promise<TestPerson> {
  const { accountId, host, scheme = 'http' } = office;
  const by = 'operator:tester';
  const db = api.test.database.forOffice(accountId);
  const { token } = await invite(db, accountId, { name, roles, by }, api.clock.now());
  const browser = api.browser(host);
  const passkey = createTestPasskey(`${scheme}://${host}`);
  const options = await browser.post('/api/office/invitation/passkey-challenge', { token });
  const accepted = await browser.post('/api/office/invitation/acceptance', {
    token,
    passkey: passkey.register(options.json()),
  });
  expect(accepted.statusCode, accepted.body).toBe(201);
  const personId = accepted.json<{ person_id: number }>().person_id;
  const signIn = async (into: TestBrowser = browser) => {
    const challenge = await into.post('/api/office/passkey-challenge', {});
    const answer = await into.post('/api/office/session', {
      passkey: passkey.signIn(challenge.json()),
    });
    expect(answer.statusCode, answer.body).toBe(201);
  };
  return { browser, passkey, personId, signIn };
}

/**
 * Opens the link that `beacon login` printed, and confirms its code at the console.
 *
 * @returns the answer's status; undefined where the text has no link
 */
export async function confirmCommandLogin(
  printed: string,
  { browser }: TestPerson,
): Promise<number | undefined> {
  const link = /command-login#([0-9a-f]{64})[\s\S]*confirm the code ([0-9A-F-]{9})\./;
  const [, hash, code] = link.exec(printed) ?? [];
  if (!hash) return undefined;
  expect(code).toBe(codeOfCommandSession(hash));
  return (await browser.post('/api/office/command-session', { hash })).statusCode;
}
