import { expectNoBarriers } from './barriers.ts';
import { desk, expect, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import { openOffice } from './office.ts';
import { join } from './people.ts';

test(
  'a clerk types the start of a name that many have, and lists more of them by keyboard',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/401/); // nobody is signed in yet
    const office = await openOffice(baseURL);
    const voters = Array.from({ length: 45 }, (_, at) => {
      const number = String(at + 10);
      return `S-${number},Name${number},Smithson,19${number}-03-04,1 Harbor Lane,Marlowe Springs,FL,32001,Marlowe`;
    });
    const header = 'registration_id,firstname,lastname,birthdate,address,city,state,zipcode,county';
    const roll = office.write('smiths.csv', `${[header, ...voters].join('\n')}\n`);
    const of = ['--account', office.subdomain];
    await office.beacon('import', roll, ...of, '--format', 'beacon-voters');
    await join(page, office, 'Cleo Marsh', 'clerk');
    await page.getByRole('link', { name: 'Find a voter' }).click();
    const box = page.getByLabel('What you know of the voter');
    const rows = page.getByRole('row').filter({ hasText: 'Smithson' });

    await box.fill('smiths');
    await box.press('Enter');
    await expect(page.getByText('45 voters match. The first 20 are listed.')).toBeVisible();
    await expect(rows).toHaveCount(20);
    await expect(rows.first()).toContainText('Name10 Smithson');
    const more = page.getByRole('button', { name: 'Show more' });
    await more.press('Enter');
    await expect(rows).toHaveCount(40);
    await expect(page.getByText('45 voters match. The first 40 are listed.')).toBeVisible();
    await expectNoBarriers(page);
    await more.press('Enter');
    await expect(rows).toHaveCount(45);
    await expect(more).toHaveCount(0);
    await expect(page.getByText('45 voters match.', { exact: true })).toBeVisible();
    await expect(box).toHaveValue('smiths');
    // What is typed about a voter is in no address.
    expect(page.url()).not.toMatch(/smith/i);

    await box.fill('Smithson Name30 3/4/1930');
    await box.press('Enter');
    await expect(rows).toHaveCount(1);
    await expect(page.getByText('1 voter matches.', { exact: true })).toBeVisible();
    await box.fill('Smithson Name30 3/4/1931');
    await box.press('Enter');
    await expect(page.getByText('No voter matches.')).toBeVisible();
    await expect(page.getByRole('table')).toHaveCount(0);

    // The next voter can be looked for while more of those before are still to come.
    await box.fill('smiths');
    await box.press('Enter');
    await expect(rows).toHaveCount(20);
    const answer = await holdCalls(page, '**/api/office/voter-search');
    await more.press('Enter');
    await box.fill('M-1');
    await box.press('Enter');
    await answer();
    await expect(page.getByRole('rowheader')).toHaveText(['M-1']);
    await expect(page.getByText('1 voter matches.', { exact: true })).toBeVisible();
    await page.unroute('**/api/office/voter-search');

    // What was found before is not taken for what a search that failed has found.
    expectConsole(/ERR_FAILED/);
    await box.fill('Smithson Name30 3/4/1930');
    await box.press('Enter');
    await expect(rows).toHaveCount(1);
    await page.route('**/api/office/voter-search', (route) => route.abort());
    await box.fill('Smithson Name31');
    await box.press('Enter');
    await expect(page.getByRole('alert')).toContainText('The server does not answer.');
    await expect(rows).toHaveCount(0);
    office.close();
  },
);

test(
  'on a phone, a voter’s record with a long email address is no wider than the screen',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/401/); // nobody is signed in yet
    const office = await openOffice(baseURL);
    const email = 'bartholomew.featherstonehaugh@alumni.university-of-florida.example';
    const roll = office.write(
      'long.csv',
      `registration_id,firstname,lastname,birthdate,address,city,state,zipcode,county,email
L-1,Bartholomew,Featherstonehaugh,1971-03-04,1 Harbor Lane,Marlowe Springs,FL,32001,Marlowe,${email}
`,
    );
    const of = ['--account', office.subdomain];
    await office.beacon('import', roll, ...of, '--format', 'beacon-voters');
    await join(page, office, 'Cleo Marsh', 'clerk');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('link', { name: 'Find a voter' }).click();
    await page.getByLabel('What you know of the voter').fill('L-1');
    await page.getByLabel('What you know of the voter').press('Enter');
    await page.getByRole('link', { name: 'L-1' }).click();
    await expect(page.getByText(email)).toBeVisible();
    const { scrollWidth, clientWidth } = await page
      .locator('html')
      .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    expect(scrollWidth).toBe(clientWidth);
    office.close();
  },
);
