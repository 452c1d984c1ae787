import { randomInt } from 'node:crypto';
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

export async function fillIn(page: Page, typed: Partial<CastMember['typed']>): Promise<void> {
  for (const [name, value] of Object.entries(typed))
    await page.locator(`[name="${name}"]`).fill(value);
}

export const submit = (page: Page) => page.locator('#login-form button[type="submit"]').click();

/** Signs in by the page as a voter of the demo, with the voter ID and the token where they are asked for. */
export async function signIn(
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
