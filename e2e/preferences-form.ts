import type { Page, TestInfo } from '@playwright/test';
import type { CastMember } from '../demo/cast.ts';
import { expect } from './fixtures.ts';
import { addressOf, open, signIn } from './sign-in.ts';

/** Where the form saves. */
export const path = '/api/voter/information/me';

/** What a browser itself says of an answer that is no success. */
export const refused = (status: number) =>
  new RegExp(`Failed to load resource: the server responded with a status of ${status}`);

export const form = (page: Page) => page.locator('#contact-preferences');
export const field = (page: Page, name: string) => form(page).locator(`[name="${name}"]`);
export const box = (page: Page, channel: string) =>
  form(page).locator(`[name="${channel}-opt-in"]`);
export const button = (page: Page, name: string) =>
  form(page).getByRole('button', { name, exact: true });
export const errors = (page: Page) => form(page).locator('.field-error p');
export const alert = (page: Page, type: string) => page.locator(`.alert[data-type="${type}"]`);

/** Phone and desktop run side by side, so a journey that saves has a voter for each. */
export function ofProject(info: TestInfo, phone: CastMember, desktop: CastMember): CastMember {
  return info.project.name === 'phone' ? phone : desktop;
}

/** Signs in and opens the form on the dashboard; with `stored`, of a confirmed voter who has saved this before. */
export async function openForm(
  page: Page,
  member: CastMember,
  baseURL: string | undefined,
  stored?: object,
): Promise<void> {
  await signIn(page, member, baseURL, '/voter/preferences');
  if (stored) {
    await save(page, stored);
    await open(page, `${addressOf(member.account, baseURL)}/voter/dashboard`);
  }
  await expect(form(page)).toBeVisible();
}

export async function save(page: Page, patch: object): Promise<void> {
  const status = await page.evaluate(
    async ([url, body]) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(url, { method: 'PATCH', headers, body })).status;
    },
    [path, JSON.stringify(patch)] as const,
  );
  expect(status).toBe(200);
}

export async function readOwn(page: Page): Promise<{ is_valid_email: boolean | null }> {
  return page.evaluate(async (url) => (await fetch(url)).json(), path);
}

/** Saves wait until they are released, and are written down. */
export async function holdSaves(page: Page) {
  const bodies: unknown[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    bodies.push(route.request().postDataJSON());
    await released;
    await route.continue();
  });
  const arrived = () => expect.poll(() => bodies.length).toBeGreaterThan(0);
  return { bodies, release, arrived };
}
