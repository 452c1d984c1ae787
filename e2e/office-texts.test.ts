import { expect, test } from './fixtures.ts';
import { openOffice } from './office.ts';
import { join } from './people.ts';

test('an editor writes an alert, looks at it on the voter’s page, publishes it and undoes it', async ({
  page,
  baseURL,
  browser,
  expectConsole,
}) => {
  expectConsole(/401/); // nobody is signed in yet
  const office = await openOffice(baseURL);
  await join(page, office, 'Edda Moss', 'editor');
  await page.getByRole('link', { name: 'Words and pages' }).press('Enter');
  await page.getByRole('link', { name: 'Alert at the top of every page' }).press('Enter');

  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await text.click();
  await page.keyboard.type('Our office is closed on Friday.');
  await page.getByRole('button', { name: 'Save the draft' }).press('Enter');
  await expect(page.getByText('The draft was saved.')).toBeVisible();
  const context = await browser.newContext();
  const voter = await context.newPage();
  for (const width of ['On a phone', 'On a computer']) {
    const preview = page.frameLocator(`iframe[title="How voters see it: ${width}"]`);
    await expect(preview.getByText('Our office is closed on Friday.')).toBeVisible();
    await expect(preview.getByLabel('First name')).toBeVisible();
  }
  await voter.goto(`${office.url}/voter`);
  await expect(voter.getByLabel('First name')).toBeVisible();
  await expect(voter.getByText('Our office is closed')).toHaveCount(0);

  // A draft is there for the next person, and after a reload.
  await page.reload();
  await expect(text).toContainText('Our office is closed on Friday.');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Publish' }).press('Enter');
  await expect(page.getByText('Published. Voters see it now.')).toBeVisible();
  await expect(async () => {
    await voter.goto(`${office.url}/voter`);
    await expect(voter.getByText('Our office is closed on Friday.')).toBeVisible({ timeout: 1000 });
  }).toPass();

  await page.getByRole('button', { name: 'Undo the last change' }).press('Enter');
  await expect(page.getByText('Undone. Voters see what they saw before.')).toBeVisible();
  await expect(async () => {
    await voter.goto(`${office.url}/voter`);
    await expect(voter.getByLabel('First name')).toBeVisible();
    await expect(voter.getByText('Our office is closed')).toHaveCount(0, { timeout: 1000 });
  }).toPass();
  await context.close();
  office.close();
});

test('questions and answers keep their questions in the editor, and what pages may not contain is named', async ({
  page,
  baseURL,
  expectConsole,
}) => {
  expectConsole(/401/); // nobody is signed in yet
  const office = await openOffice(baseURL);
  await join(page, office, 'Edda Moss', 'editor');
  await page.goto(`${office.url}/office/texts/faq/english`);
  await expect(page.locator('.editor-summary').first()).toHaveText('What is Ballot Beacon?');
  await page.getByRole('button', { name: 'Write as HTML' }).click();
  const source = page.getByRole('textbox', { name: 'Text', exact: true });
  await source.fill(
    '<details><summary>Where do I vote?</summary><p>At home.</p></details><script>x()</script>',
  );
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await expect(page.getByText('<script> with its content')).toBeVisible();
  const preview = page.frameLocator('iframe[title="How voters see it: On a phone"]');
  await expect(preview.getByText('Where do I vote?')).toBeVisible();
  await expect(page.locator('.editor-summary')).toHaveText(['Where do I vote?']);
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await expect(page.locator('.editor-summary').first()).toHaveText('What is Ballot Beacon?');
  office.close();
});
