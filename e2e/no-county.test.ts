import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { comeFromElsewhere, fillIn, open, submit } from './sign-in.ts';

/** A site that is no county's: voters of every office sign in there. */
let server: OwnServer;

test.beforeAll(async () => {
  test.setTimeout(90_000);
  server = await startOwnServer({ CAPTCHA: 'off', DEFAULT_ACCOUNT: '' });
});
test.afterAll(() => server.stop());
test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test(
  'a voter who signs in at a site of no county is at the page of the own county',
  once,
  async ({ page }) => {
    await open(page, `${server.origin}/voter`);
    await expect(page.locator('.top-bar-name')).toHaveText('Ballot Beacon');
    await fillIn(page, cast.sent.typed);
    await submit(page);
    await expect(page.locator('.top-bar-name')).toContainText('Harbor County');
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
  },
);

test('every page there says that it is an election office’s, and helps to find the own one', async ({
  page,
}) => {
  for (const path of ['', '/faq', '/verify']) {
    await open(page, `${server.origin}/voter${path}`);
    const mark = page.locator('.trust');
    await expect(mark.locator('summary')).toHaveText(
      'Official ballot tracker of your election office How to know',
    );
    await mark.locator('summary').click();
    await expect(mark.getByRole('link')).toHaveText('Find your election office');
    await expect(mark.getByRole('link')).toHaveAttribute('href', /^https:\/\//);
  }
});

test(
  'how an office is doing is shown on its own site, and not linked here',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 404/);
    await open(page, `${server.origin}/voter/faq`);
    await expect(page.getByRole('link', { name: 'How we are doing' })).toHaveCount(0);
    await open(page, `${server.origin}/voter/performance`);
    await expect(page.getByText("election office's own site")).toBeVisible();
  },
);

test(
  'the code of a confirmation mail outlives signing in at a site of no county',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 422/);
    await open(page, `${server.origin}/voter?code=no-such-code`);
    await fillIn(page, cast.sent.typed);
    await submit(page);
    await expect(page).toHaveURL(/\/voter\/confirm-email\?code=no-such-code$/);
    await expect(page.getByRole('alert').getByRole('heading', { level: 1 })).toHaveText(
      'This link has expired',
    );
  },
);

test(
  'a visitor who matches no voter there gets a link to where the product is available',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 401/);
    await open(page, `${server.origin}/voter`);
    await fillIn(page, { ...cast.sent.typed, lastname: 'Nobody' });
    await submit(page);
    const alert = page.locator('.alert[data-type="error"]');
    await expect(alert.locator('.alert-label')).toHaveText('Invalid credentials');
    await expect(
      alert.getByRole('link', { name: 'See if Ballot Beacon is available where you vote' }),
    ).toHaveAttribute('href', /^https:\/\//);
  },
);
