import { answerQuestion } from './answer-question.ts';
import { expectNoBarriers } from './barriers.ts';
import { desk, expect, test } from './fixtures.ts';
import { openOffice } from './office.ts';
import { join } from './people.ts';

const circle =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40"><circle cx="20" cy="20" r="18" fill="#0f5e7c"/></svg>';
/** As large as it may be. */
const logo = {
  name: 'logo.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(circle.padEnd(256 * 1024)),
};

test(
  'an editor gives the office a logo, which voters see at once, takes it away, and brings it back',
  desk,
  async ({ page, baseURL, browser, expectConsole }) => {
    expectConsole(/401|422/); // nobody is signed in yet; a file that is no image
    const office = await openOffice(baseURL);
    const voter = await (await browser.newContext()).newPage();
    const shown = voter.locator('header img[src*="account-image/logo"]');
    await join(page, office, 'Edda Moss', 'editor');
    await page.getByRole('link', { name: 'Look and notice' }).click();
    const chooser = page.getByLabel(/^Logo, at most 256 kB/);
    await chooser.setInputFiles({ ...logo, buffer: Buffer.from('A flyer.') });
    await expect(page.getByRole('alert')).toHaveText(
      'This file is not a PNG, JPEG, WebP or SVG image.',
    );
    // A browser is silent about a choice of the file that is chosen already.
    await expect(chooser).toHaveValue('');
    await chooser.setInputFiles({ ...logo, buffer: Buffer.alloc(256 * 1024 + 1) });
    await expect(page.getByRole('alert')).toHaveText('This file is too large: at most 256 kB.');

    await chooser.setInputFiles(logo);
    await expect(page.getByText('Saved. Voters see it now.')).toBeVisible();
    await expect(page.getByRole('img', { name: 'The logo that voters see now' })).toBeVisible();
    await expectNoBarriers(page);
    await expect(async () => {
      await voter.goto(`${office.url}/voter`);
      await expect(shown).toBeVisible({ timeout: 1000 });
    }).toPass();

    const press = (name: string) =>
      answerQuestion(page, 'accept', () => page.getByRole('button', { name }).press('Enter'));
    expect(await press('Remove the logo')).toContain('Remove it?');
    await expect(page.getByText('Removed. Voters see none now.')).toBeVisible();
    await expect(async () => {
      await voter.goto(`${office.url}/voter`);
      await expect(voter.getByLabel('First name')).toBeVisible();
      await expect(shown).toHaveCount(0, { timeout: 1000 });
    }).toPass();

    expect(await press('Bring back the logo before')).toContain('Undo the last change?');
    await expect(page.getByText('Undone. Voters see what they saw before.')).toBeVisible();
    await expect(page.getByRole('img', { name: 'The logo that voters see now' })).toBeVisible();
    await expect(async () => {
      await voter.goto(`${office.url}/voter`);
      await expect(shown).toBeVisible({ timeout: 1000 });
    }).toPass();
    expect(await press('Undo: show no logo, as before')).toContain('Undo the last change?');
    await expect(page.getByRole('img', { name: 'The logo that voters see now' })).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await voter.context().close();
    office.close();
  },
);
