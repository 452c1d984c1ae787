import { readFile } from 'node:fs/promises';
import { expectNoBarriers } from './barriers.ts';
import { desk, expect, test } from './fixtures.ts';
import { openOfficeAs } from './people.ts';

test(
  'an editor sends the office’s English to an agency, and publishes what comes back',
  desk,
  async ({ page, baseURL, browser, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Edda Moss', 'editor');
    expectConsole(/422/); // a file that is no XLIFF
    await office.beacon(
      ...['alert', 'set', '--text', '<p>Closed on Friday.</p>', '--account', office.subdomain],
      ...['--language', 'english'],
    );
    await page.getByRole('link', { name: 'Words and pages' }).click();
    await expect(page.getByRole('button', { name: 'Download for translators' })).toHaveCount(0);
    await page.getByLabel('Language').selectOption({ label: 'Spanish' });
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download for translators' }).press('Enter');
    const file = await saved;
    expect(file.suggestedFilename()).toBe('spanish.xlf');
    const out = await readFile(await file.path(), 'utf8');

    const chooser = page.getByLabel(/^Choose the translated file/);
    const bring = (content: string) =>
      chooser.setInputFiles({
        ...{ name: 'spanish.xlf', mimeType: 'application/xliff+xml', buffer: Buffer.from(content) },
      });
    await bring(' '.repeat(4 * 1024 * 1024 + 1));
    await expect(page.getByRole('alert')).toHaveText('This file is too large: at most 4 MB.');
    // A browser is silent about a choice of the file that is chosen already.
    await expect(chooser).toHaveValue('');
    await bring('<resources/>');
    await expect(page.getByRole('alert')).toContainText('This is not an XLIFF file');
    const target = '<target state="needs-translation">';
    await bring(out.replace(target, `${target}Cerrado el viernes.`));
    await expect(page.getByText('1 text was not taken from the file:')).toBeVisible();
    await expect(page.getByText(/Keep the HTML tags as they are in English/)).toBeVisible();
    await expectNoBarriers(page);
    await bring(out.replace(target, `${target}&lt;p&gt;Cerrado el viernes.&lt;/p&gt;`));
    await expect(page.getByText('1 draft in Spanish was saved.')).toBeVisible();

    const voter = await (await browser.newContext()).newPage();
    const visitInSpanish = async () => {
      await voter.goto(`${office.url}/voter?language=spanish`);
      await expect(voter.getByLabel('Nombre', { exact: true })).toBeVisible();
    };
    await visitInSpanish();
    await expect(voter.getByText('Cerrado el viernes.')).toHaveCount(0);
    await page
      .getByRole('list')
      .getByRole('link', { name: 'Alert at the top of every page' })
      .click();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Publish' }).click();
    await expect(page.getByText('Published. Voters see it now.')).toBeVisible();
    await expect(async () => {
      await visitInSpanish();
      await expect(voter.getByText('Cerrado el viernes.')).toBeVisible({ timeout: 1000 });
    }).toPass();
    await voter.context().close();
    office.close();
  },
);
