import { test } from './fixtures.ts';

test.fail('a page that warns in its console fails the journey', async ({ page }) => {
  await page.goto('/voter');
  await page.evaluate(() => console.warn('a key is missing'));
});

test.fail('a page that throws fails the journey', async ({ page }) => {
  await page.goto('/voter');
  await page.evaluate(() => reportError(new Error('the page broke')));
});

test.fail(
  'an announced message that never comes fails the journey',
  async ({ page, expectConsole }) => {
    expectConsole(/never said/);
    await page.goto('/voter');
  },
);

test('an announced message passes', async ({ page, expectConsole }) => {
  expectConsole(/a key is missing/);
  await page.goto('/voter');
  await page.evaluate(() => console.warn('a key is missing'));
});

test('an address whose numbers are those of another message stands for neither', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/422/);
  expectConsole(/404/);
  await page.goto('/voter');
  await page.evaluate(() => fetch('/api/voter/nowhere?port=34225'));
  await page.evaluate(() => console.warn('the status was 422'));
});
