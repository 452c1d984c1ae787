import { randomInt } from 'node:crypto';
import { request } from 'node:http';
import type { Page } from '@playwright/test';
import type { CastMember } from '../demo/cast.ts';

/** The account's own address on the server under test. */
export function addressOf(account: CastMember['account'], baseURL: string | undefined): string {
  const url = new URL(baseURL ?? '');
  if (account !== 'demo') url.hostname = `${account}.localhost`;
  return url.origin;
}

/**
 * An address of one's own, so that the failures of one journey do not count against another
 * (the server under test believes its proxy: TRUST_PROXY=loopback).
 */
export async function comeFromElsewhere(page: Page): Promise<void> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': address });
}

/** Opens a page and waits until its script has taken over. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
}

/** Loads the page again and waits until its script has taken over. */
export async function reload(page: Page): Promise<void> {
  await page.reload();
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
}

export async function fillIn(page: Page, typed: Partial<CastMember['typed']>): Promise<void> {
  for (const [name, value] of Object.entries(typed))
    await page.locator(`[name="${name}"]`).fill(value);
}

export const submit = (page: Page) => page.locator('#login-form button[type="submit"]').click();

/**
 * Signs in as a voter of the demo as the form does, without the form, and opens a page. A journey that is about the way
 * in goes {@link signInByHand}.
 *
 * @param path of the page; by default the first page that a voter sees.
 */
export async function signIn(
  page: Page,
  member: CastMember,
  baseURL: string | undefined,
  path = '/voter',
): Promise<void> {
  const origin = addressOf(member.account, baseURL);
  const answer = await post(`${origin}/api/voter/session`, {
    ...member.typed,
    recaptcha: 'off',
    ...(member.isAmbiguous && { provided_voter_id: member.registrationId }),
    ...(member.token && { token: member.token }),
  });
  const [name = '', value = ''] = (answer.cookie ?? '').split(/[=;]/, 2);
  if (answer.status !== 201 || !value)
    throw new Error(`${member.typed.lastname} was answered ${answer.status}, not signed in`);
  const url = origin;
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  await open(page, new URL(path, origin).href);
}

interface Answer {
  readonly status: number | undefined;
  readonly cookie: string | undefined;
}

/** Node resolves no names below localhost, so the account's goes by the Host header. */
function post(address: string, body: object): Promise<Answer> {
  const { port, host, origin, pathname } = new URL(address);
  const headers = { host, origin, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const call = request(
      { method: 'POST', host: '127.0.0.1', port, path: pathname, headers },
      (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode, cookie: answer.headers['set-cookie']?.[0] });
      },
    );
    call.on('error', reject);
    call.end(JSON.stringify(body));
  });
}

/** Signs in by the form as a voter of the demo, with the voter ID and the token where they are asked for. */
export async function signInByHand(
  page: Page,
  member: CastMember,
  baseURL: string | undefined,
): Promise<void> {
  await open(page, `${addressOf(member.account, baseURL)}/voter`);
  await fillIn(page, member.typed);
  await submit(page);
  if (member.isAmbiguous) {
    await page.locator('[name="provided_voter_id"]').fill(member.registrationId);
    await submit(page);
  }
  if (member.token) {
    await page.locator('[name="token"]').fill(member.token);
    await submit(page);
  }
  await page
    .locator('.top-bar')
    .getByRole('button', { name: /Log out|Cerrar sesión/ })
    .waitFor();
}

/**
 * Signs in as a voter of the demo and logs out without a connection: the cookie and the session are left, and the page is
 * gone before it could end them.
 */
export async function logOutUnheard(
  page: Page,
  member: CastMember,
  baseURL: string | undefined,
): Promise<void> {
  await signIn(page, member, baseURL);
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
  await page.locator('.alert', { hasText: 'your device is offline' }).waitFor();
  await page.goto('about:blank');
  await page.context().setOffline(false);
}
