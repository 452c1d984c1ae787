import type { Page } from '@playwright/test';
import { answerQuestion } from './answer-question.ts';
import { expectNoBarriers } from './barriers.ts';
import { desk, expect, test } from './fixtures.ts';
import { openOffice, runCommand } from './office.ts';
import { join, openOfficeAs } from './people.ts';
import { open } from './sign-in.ts';
import { savePreferences, signInAsVoter } from './voter-steps.ts';

test(
  'an administrator is led from Today to requests above the daily limit, discards some and sends others',
  desk,
  async ({ page, baseURL, browser, expectConsole }) => {
    expectConsole(/401/); // nobody is signed in yet
    const office = await openOffice(baseURL, { daily_request_limits: { email: 1 } });
    const voter = await signInAsVoter(browser, office);
    for (const name of ['a', 'b']) await ask(voter, `${name}@marlowe.example`);

    const viewer = await (await browser.newContext()).newPage();
    await join(viewer, office, 'Vic Lane', 'viewer');
    await expect(viewer.getByText('1 request to confirm an address is waiting')).toContainText(
      'An administrator of your office can send or discard them.',
    );
    await expect(viewer.getByText('Nothing needs a person now.')).toHaveCount(0);
    await viewer.context().close();

    await join(page, office, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: '1 request to confirm an address' }).click();
    const emails = page.getByRole('row', { name: /^Email/ });
    await expect(emails).toContainText('2 of 1');
    await expectNoBarriers(page);
    const discard = () =>
      page.getByRole('button', { name: 'Discard the requests: Email' }).press('Enter');
    // Of the two requests of today, one waits.
    expect(await answerQuestion(page, 'dismiss', discard)).toMatch(/^Discard 1 request\?/);
    await expect(emails).toContainText('2 of 1');
    page.on('dialog', (dialog) => void dialog.accept());
    await discard();
    await expect(page.getByText('1 request was discarded.')).toBeVisible();
    await expect(emails).toContainText('0 of 1');
    await expect(page.getByRole('button', { name: 'Send the requests: Email' })).toHaveCount(0);

    // From zero one goes again, and the next waits.
    for (const name of ['d', 'e']) await ask(voter, `${name}@marlowe.example`);
    await page.reload();
    await page.getByRole('button', { name: 'Send the requests: Email' }).press('Enter');
    await expect(page.getByText('1 request is being sent.')).toBeVisible();
    const outbox = () => runCommand('outbox', '--account', office.subdomain);
    await expect.poll(outbox).toMatch(/e@marlowe\.example\tsent/);
    expect(await outbox()).toMatch(/b@marlowe\.example\twithdrawn\tdaily-limit/);
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    await expect(page.getByRole('row', { name: /Resumed sending/ })).toHaveCount(2);
    await voter.context().close();
    office.close();
  },
);

test(
  'an administrator signs all voters out after an incident, with the reason in the log',
  desk,
  async ({ page, baseURL, browser, expectConsole }) => {
    expectConsole(/422/); // a reason is missing at first
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    const voter = await signInAsVoter(browser, office);
    await page.getByRole('link', { name: 'Misuse' }).click();
    await expect(page.getByText('1 browser is signed in as a voter now.')).toBeVisible();
    const press = () => page.getByRole('button', { name: 'Sign all voters out' }).press('Enter');
    await answerQuestion(page, 'accept', press);
    await expect(page.getByLabel('Why')).toHaveAttribute('aria-invalid', 'true');
    await expectNoBarriers(page);
    await page.getByLabel('Why').fill('Letters with codes were stolen');
    await answerQuestion(page, 'dismiss', press);
    await page.reload();
    await expect(page.getByText('1 browser is signed in as a voter now.')).toBeVisible();
    await page.getByLabel('Why').fill('Letters with codes were stolen');
    await answerQuestion(page, 'accept', () => page.getByLabel('Why').press('Enter'));
    await expect(page.getByText('1 browser was signed out.')).toBeVisible();
    await expect(page.getByLabel('Why')).toHaveValue('');
    await expect(page.getByText('0 browsers are signed in as a voter now.')).toBeVisible();

    await open(voter, `${office.url}/voter/dashboard`);
    await expect(voter.getByLabel('First name')).toBeVisible();
    const warnings = page.getByRole('link', { name: 'Attacks and warnings in the log' });
    await expect(warnings).toHaveAttribute('href', '/office/log?area=security');
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    await expect(page.getByRole('row', { name: /Signed voters out/ })).toContainText(
      'Letters with codes were stolen',
    );
    await voter.context().close();
    office.close();
  },
);

const ask = (voter: Page, email: string) => savePreferences(voter, { email, email_opt_in: true });
