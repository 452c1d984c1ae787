import { cast } from '../../demo/cast.ts';
import { expectNoBarriers } from '../barriers.ts';
import { expect, once, test } from '../fixtures.ts';
import { comeFromElsewhere, open, signIn, submit } from '../sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test('the printed dashboard is a clean page: every step, no buttons, black on white', async ({
  page,
  baseURL,
}) => {
  await signIn(page, cast.accepted, baseURL);
  await open(page, '/voter/dashboard');
  await page.locator('.past').waitFor();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('article')).toContainText('Your ballot was accepted.');
  const steps = page.locator('.timeline li');
  await expect(steps).toHaveCount(4);
  for (const step of await steps.all()) await expect(step).toBeVisible();
  await expect(page.locator('.as-of')).toBeVisible();
  await expect(page.locator('.support')).toBeVisible();
  await expect(
    page.locator(':is(button, input, select, footer, .language-menu):visible'),
  ).toHaveCount(0);
  const ink = await page
    .locator('.ballot-meaning')
    .evaluate((element) => getComputedStyle(element).color);
  expect(ink).toBe('rgb(19, 32, 44)');
  const pdf = (await page.pdf({ format: 'Letter' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(2);
});

test('in forced colors, states are visible by shape and words', async ({ page, baseURL }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await open(page, '/voter');
  await submit(page);
  await page.locator('.field-error').first().waitFor();
  const border = (name: string) =>
    page.locator(`[name="${name}"]`).evaluate((field) => getComputedStyle(field).borderTopWidth);
  expect(await border('lastname')).not.toBe(await border('firstname'));
  await expectNoBarriers(page);

  await signIn(page, cast.sent, baseURL);
  await open(page, '/voter/dashboard');
  const arrows = await page
    .locator('#contact-preferences select')
    .evaluateAll((lists) => lists.map((list) => getComputedStyle(list).appearance));
  expect(arrows, 'lists have the browser’s own arrow').toEqual(['auto', 'auto', 'auto']);
  const outlines = await page
    .locator('.journey-node')
    .evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).outlineStyle));
  expect(outlines).toEqual(['none', 'solid', 'none', 'none']);
  await expectNoBarriers(page);
});

test(
  'pages linked from mail, a missing page and a dialog have no barriers in dark colors',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 404/);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    for (const path of ['/voter/unsubscribe?key=abc&email=ida@example.com', '/voter/nowhere']) {
      await open(page, path);
      await expectNoBarriers(page);
    }
    await page.locator('footer').getByText('Voter FAQ').click();
    await page.getByRole('dialog').waitFor();
    await expectNoBarriers(page);
  },
);
