import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { type Office, openOffice, runCommand } from './office.ts';

/** A phone or laptop that keeps passkeys and opens them by a finger: Chromium's virtual authenticator. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/**
 * Signs in to an office's console by the local provider, as one of its invented people.
 *
 * @param what as the provider's page says beside the name: the group, or what else to try
 */
export async function signInAs(
  page: Page,
  office: { readonly url: string },
  name: string,
  what = '',
): Promise<void> {
  await page.goto(`${office.url}/office/`);
  await page.getByRole('button', { name: 'Sign in with Local provider' }).click();
  await chooseAtProvider(page, name, what);
}

/** On the provider's page. */
export async function chooseAtProvider(page: Page, name: string, what = ''): Promise<void> {
  const buttons = page.getByRole('button', { name: `${name} (${what}` });
  await buttons.first().click();
}

/** Joins an office by an operator's invitation, with a new passkey, and is at Today. */
export async function join(
  page: Page,
  office: { readonly subdomain: string; readonly url: string },
  name: string,
  ...roles: string[]
): Promise<void> {
  const printed = await runCommand(
    ...['person', 'invite', '--account', office.subdomain, '--name', name],
    ...roles.flatMap((role) => ['--role', role]),
  );
  // The command's port is not the server's here.
  const link = /\/office\/invitation#\S+/.exec(printed)?.[0] ?? '';
  await addAuthenticator(page);
  await page.goto(`${office.url}${link}`);
  await page.getByRole('button', { name: 'Create a passkey and sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Today', level: 1 })).toBeVisible();
}

/** Opens an office, and joins it in this page. */
export async function openOfficeAs(
  {
    page,
    baseURL,
    expectConsole,
  }: {
    readonly page: Page;
    readonly baseURL: string | undefined;
    readonly expectConsole: (expected: RegExp) => void;
  },
  name: string,
  ...roles: string[]
): Promise<Office> {
  expectConsole(/401/); // nobody is signed in yet
  const office = await openOffice(baseURL);
  await join(page, office, name, ...roles);
  return office;
}
