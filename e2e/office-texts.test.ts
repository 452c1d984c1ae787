import { answerQuestion } from './answer-question.ts';
import { expectNoBarriers } from './barriers.ts';
import { desk, expect, test } from './fixtures.ts';
import { join, openOfficeAs } from './people.ts';

test(
  'an editor writes an alert, looks at it on the voter’s page, publishes it and undoes it',
  desk,
  async ({ page, baseURL, browser, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Edda Moss', 'editor');
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
    // What would be published is not what stands there.
    const publish = page.getByRole('button', { name: 'Publish' });
    await text.press('End');
    await page.keyboard.type(' And on Monday.');
    await expect(publish).toHaveCount(0);
    // Who closes the page by mistake is asked first.
    const leaves = page.waitForEvent('dialog', { timeout: 15_000 });
    await page.close({ runBeforeUnload: true });
    const leaving = await leaves;
    expect(leaving.type()).toBe('beforeunload');
    await leaving.dismiss();
    await page.getByRole('button', { name: 'Discard the draft' }).press('Enter');
    await expect(text).toHaveText('Our office is closed on Friday.');
    const question = await answerQuestion(page, 'accept', () => publish.press('Enter'));
    expect(question).toBe('Publish this? Every voter sees it at once.');
    await expect(page.getByText('Published. Voters see it now.')).toBeVisible();
    await expect(async () => {
      await voter.goto(`${office.url}/voter`);
      await expect(voter.getByText('Our office is closed on Friday.')).toBeVisible({
        timeout: 1000,
      });
    }).toPass();

    await page.getByRole('button', { name: 'Undo the last change' }).press('Enter');
    await expect(text).toHaveText('');
    await expect(page.getByText('Undone. Voters see what they saw before.')).toBeVisible();
    await expect(async () => {
      await voter.goto(`${office.url}/voter`);
      await expect(voter.getByLabel('First name')).toBeVisible();
      await expect(voter.getByText('Our office is closed')).toHaveCount(0, { timeout: 1000 });
    }).toPass();

    // What undoes it is a change like others, and the editor has what voters see.
    const undo = page.getByRole('button', { name: 'Undo the last change' });
    for (const words of ['Our office is closed on Friday.', '']) {
      await expect(undo).not.toHaveAttribute('aria-disabled');
      await undo.press('Enter');
      await expect(text).toHaveText(words);
    }

    // The words of a change can be taken again: of the undoing, which comes first, those that the product has.
    const again = page.getByRole('button', { name: /^Use what was published/ });
    await again.last().press('Enter');
    await expect(text).toHaveText('Our office is closed on Friday.');
    const replaced = await answerQuestion(page, 'dismiss', () => again.first().press('Enter'));
    expect(replaced).toBe('What you typed is not saved. Replace it?');
    await expect(text).toHaveText('Our office is closed on Friday.');
    await answerQuestion(page, 'accept', () => again.first().press('Enter'));
    await expect(text).toHaveText('');
    await context.close();
    office.close();
  },
);

test(
  'nothing typed is lost: what came last before the save, and what came while it was under way',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Edda Moss', 'editor');
    await page.goto(`${office.url}/office/texts/alert/english`);
    const text = page.getByRole('textbox', { name: 'Text', exact: true });
    await text.click();
    await page.keyboard.type('Closed on');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const saved: string[] = [];
    await page.route('**/api/office/text/draft', async (route) => {
      saved.push(route.request().postDataJSON().words.body);
      await released;
      await route.continue();
    });
    // Faster than the page can draw.
    await page.evaluate(async () => {
      document.execCommand('insertText', false, ' Friday');
      await Promise.resolve();
      document.querySelector<HTMLFormElement>('form:has([role="textbox"])')?.requestSubmit();
    });
    await expect.poll(() => saved).toEqual(['<p>Closed on Friday</p>']);
    await text.press('End');
    await page.keyboard.type(' and Monday');
    release();
    await expect(page.getByText('The draft was saved.')).toBeVisible();
    await expect(text).toBeFocused();
    await page.keyboard.type('.');
    await expect(text).toHaveText('Closed on Friday and Monday.');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await expect.poll(() => saved.at(-1)).toBe('<p>Closed on Friday and Monday.</p>');
    office.close();
  },
);

test(
  'what says what became of a ballot is published by another editor than its author',
  desk,
  async ({ page, baseURL, browser, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Edda Moss', 'editor');
    await page.getByRole('link', { name: 'Words and pages' }).click();
    const find = page.getByLabel('Find');
    await find.fill('status.rejected.name');
    await page.getByRole('button', { name: 'Find' }).click();
    // The way back leads to the list of before, and the field says of which.
    await expect(page).toHaveURL(/search=status\.rejected\.name/);
    await page.goBack();
    await expect(find).toHaveValue('');
    await page.goForward();
    await expect(find).toHaveValue('status.rejected.name');
    await page.getByRole('link', { name: 'status.rejected.name', exact: true }).click();
    await page
      .getByRole('textbox', { name: 'Text', exact: true })
      .fill('Not accepted. Please call');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await expect(page.getByText('Another editor must look at this draft')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Publish' })).toHaveCount(0);
    await page.reload();
    await expect(page.getByText('Another editor must look at this draft')).toBeVisible();

    const context = await browser.newContext();
    const other = await context.newPage();
    await join(other, office, 'Cole Reed', 'editor');
    await other.goto(page.url());
    other.once('dialog', (dialog) => void dialog.accept());
    await other.getByRole('button', { name: 'Publish' }).click();
    await expect(other.getByText('Published. Voters see it now.')).toBeVisible();
    await context.close();
    office.close();
  },
);

test(
  'questions and answers keep their questions in the editor, and what pages may not contain is named',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Edda Moss', 'editor');
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
    // A table would be lost in the editor, so the text is opened as it is.
    await page.getByRole('button', { name: 'Write as HTML' }).click();
    await source.fill('<table><tbody><tr><td>8 AM to 5 PM</td></tr></tbody></table>');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await expect(page.getByText('This text has parts that only HTML can show')).toBeVisible();
    await expect(source).toHaveValue(/<table>.*8 AM to 5 PM/s);
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await expect(page.locator('.editor-summary').first()).toHaveText('What is Ballot Beacon?');
    office.close();
  },
);

test(
  'an editor finds the text messages, words one, and sees it as a voter gets it and in how many parts',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Edda Moss', 'editor');
    expectConsole(/422/); // a draft without the way out
    await page.getByRole('link', { name: 'Words and pages' }).click();
    await page.getByLabel('Of messages').selectOption({ label: 'Text message' });
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: 'sms.sent', exact: true }) });
    await expect(row.getByRole('cell', { name: /^[12]$/ })).toBeVisible();
    await row.getByRole('link').press('Enter');
    const sample = page.getByRole('region', { name: 'How a voter gets it' });
    await expect(sample).toContainText('Josephine, your ballot is in the mail');
    const text = page.getByRole('textbox', { name: 'Text', exact: true });
    const own = '{{office}}: {{name}}, your absentee ballot is in the mail. {{url}}';
    await text.fill(own);
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await expect(page.getByRole('alert')).toHaveText('Keep STOP, which voters answer with.');
    await text.fill(`${own} STOP to end`);
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await expect(sample).toContainText('Josephine, your absentee ballot is in the mail.');
    await expect(sample).toContainText(/sent in [12] parts?, of 2 at most/);
    await expectNoBarriers(page);
    office.close();
  },
);
