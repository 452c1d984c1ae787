import { desk, expect, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import { openOfficeAs } from './people.ts';

test(
  'what is chosen without a connection is refused at once, and is not sent once the connection is back',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: 'Elections' }).click();
    const activate = page.getByRole('button', { name: 'Make active: Spring Election' });
    await expect(activate).toBeVisible();
    await page.context().setOffline(true);
    await activate.click();
    await expect(page.getByRole('alert').first()).toContainText('The server does not answer.');
    const listed = page.waitForResponse('**/api/office/elections');
    await page.context().setOffline(false);
    await listed;
    // Chosen again, it is done.
    await expect(page.getByText('Spring Election was changed.')).toHaveCount(0);
    await activate.click();
    await expect(page.getByText('Spring Election was changed.')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    office.close();
  },
);

test(
  'a list that could not be loaded anew says so, beside what it had',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/503/);
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: 'Elections' }).click();
    const row = page.getByRole('row', { name: /Spring Election/ });
    await expect(row).toContainText('Not active');
    await page.route(
      '**/api/office/elections',
      (route) => route.fulfill({ status: 503, body: '' }),
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Make active: Spring Election' }).click();
    await expect(page.getByText('Spring Election was changed.')).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('The server cannot answer now.');
    await expect(row).toContainText('Not active');
    office.close();
  },
);

test(
  'a note and a name that are typed while those before are saved stay',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs(
      { page, baseURL, expectConsole },
      'Cleo Marsh',
      ...['clerk', 'admin'],
    );
    await page.getByRole('link', { name: 'Find a voter' }).click();
    await page.getByLabel('What you know of the voter').fill('M-1');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name: 'M-1', exact: true }).click();
    const note = page.getByLabel('Note a call');
    const kept = await holdCalls(page, '**/api/office/voters/*/notes');
    await note.fill('Asked when the ballot leaves.');
    await page.getByRole('button', { name: 'Keep the note' }).click();
    await note.fill('Also asked for a large print ballot.');
    await kept();
    await expect(page.getByText('The note was kept.')).toBeVisible();
    await expect(note).toHaveValue('Also asked for a large print ballot.');

    await page.getByRole('link', { name: 'People' }).click();
    const invite = page.locator('section', { hasText: 'Invite a person' });
    const name = invite.getByLabel('Name');
    await name.fill('Nell Fox');
    await invite.getByLabel(/^Viewer/).check();
    const invited = await holdCalls(page, '**/api/office/people');
    await invite.getByRole('button', { name: 'Create an invitation link' }).click();
    await name.fill('Ben Ode');
    await invited();
    await expect(page.locator('code.link')).toBeVisible();
    await expect(name).toHaveValue('Ben Ode');
    office.close();
  },
);

test(
  'who presses twice before the page knows of the first invites one person',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: 'People' }).click();
    const invite = page.locator('section', { hasText: 'Invite a person' });
    await invite.getByLabel('Name').fill('Nell Fox');
    await invite.getByLabel(/^Viewer/).check();
    await invite
      .getByRole('button', { name: 'Create an invitation link' })
      .evaluate((button: HTMLButtonElement) => [button.click(), button.click()]);
    await expect(page.locator('code.link')).toBeVisible();
    await expect(page.getByText(/^Nell Fox \(/)).toHaveCount(1);
    office.close();
  },
);
