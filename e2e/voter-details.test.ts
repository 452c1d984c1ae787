import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { type Office, openOffice } from './office.ts';
import { comeFromElsewhere, fillIn, open, signIn, submit } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test(
  'the extension of an office’s phone is dialed after a pause',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL, { contact_phone: '(352) 555-0123 ext. 7' });
    await signIn(page, { ...cast.sent, typed: office.typed }, office.url, '/voter/dashboard');
    await page.getByRole('button', { name: /Ines Marlowe/ }).click();
    const calls = page.locator('a[href^="tel:"]');
    await expect(calls).toHaveCount(2);
    for (const call of await calls.all())
      await expect(call).toHaveAttribute('href', 'tel:3525550123,7');
    await expect(calls.first()).toContainText('(352) 555-0123 ext. 7');
    office.close();
  },
);

test.describe('the voter’s details', () => {
  let office: Office;
  test.beforeAll(async ({ baseURL }) => {
    test.setTimeout(120_000);
    office = await openOffice(baseURL);
  });
  test.afterAll(() => office.close());

  test('open and close with their button, by Escape and by going elsewhere', async ({ page }) => {
    await signIn(page, { ...cast.sent, typed: office.typed }, office.url);
    const button = page.getByRole('button', { name: /Ines Marlowe/ });
    const panel = page.getByRole('region', { name: 'Your details' });
    await expect(panel).toBeHidden();
    await button.click();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    for (const fact of ['Ines Marlowe', '12 Harbor Lane', 'Marlowe Springs', 'FL', '32001'])
      await expect(panel.getByText(fact, { exact: true })).toBeVisible();
    await expect(panel.getByRole('link', { name: '(352) 555-0123' })).toHaveAttribute(
      'href',
      'tel:+13525550123',
    );
    await expect(panel.getByRole('link', { name: 'help@marlowe.example' })).toBeVisible();
    await expectNoBarriers(page);

    await button.click();
    await expect(panel).toBeHidden();
    await button.click();
    await panel.getByRole('link', { name: 'help@marlowe.example' }).focus();
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(button).toBeFocused();
    await button.click();
    await page.locator('footer p').last().click();
    await expect(panel).toBeHidden();
  });

  test('are closed again after the next sign-in', once, async ({ page }) => {
    await signIn(page, { ...cast.sent, typed: office.typed }, office.url);
    await page.getByRole('button', { name: /Ines Marlowe/ }).click();
    await page.locator('.top-bar-tools > form', { hasText: 'Log out' }).getByRole('button').click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await fillIn(page, office.typed);
    await submit(page);
    await expect(page.getByRole('button', { name: /Ines Marlowe/ })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Your details' })).toBeHidden();
  });

  test('show the office’s own words in place of phone and email', once, async ({ page }) => {
    const html = '<p>Visit us at <strong>1 Court Square</strong>.<script>alert(1)</script></p>';
    const of = ['--account', office.subdomain, '--language', 'english'];
    await office.beacon('translation', 'set', 'profile.countyInfo.html', html, ...of);
    await signIn(page, { ...cast.sent, typed: office.typed }, office.url);
    await page.getByRole('button', { name: /Ines Marlowe/ }).click();
    const panel = page.getByRole('region', { name: 'Your details' });
    await expect(panel.locator('strong')).toHaveText('1 Court Square');
    await expect(panel.locator('script')).toHaveCount(0);
    await expect(panel.getByRole('link', { name: '(352) 555-0123' })).toHaveCount(0);
  });
});

test(
  'a notice of the office is at the top of every page until it is removed',
  once,
  async ({ page, baseURL }) => {
    test.setTimeout(120_000);
    const office = await openOffice(baseURL);
    const of = ['--account', office.subdomain];
    const words = 'We close at <b>noon</b> today.';
    await office.beacon('alert', 'set', ...of, '--language', 'english', '--text', words);
    const notice = page.getByRole('region', { name: 'Notice' });
    await signIn(page, { ...cast.sent, typed: office.typed }, office.url);
    await expect(notice.locator('b')).toHaveText('noon');
    await open(page, `${office.url}/voter/faq`);
    await expect(notice).toContainText('We close at noon today.');
    await expectNoBarriers(page);
    await office.beacon('alert', 'clear', ...of);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(notice).toHaveCount(0);
    await office.close();
  },
);

test(
  'a county without phone and email shows the product’s own',
  once,
  async ({ page, baseURL }) => {
    test.setTimeout(120_000);
    const office = await openOffice(baseURL, { contact_phone: '', contact_email: '' });
    await open(page, `${office.url}/voter`);
    const help = page.getByRole('region', { name: 'Need help?' });
    await expect(help.getByRole('link', { name: /\(800\) \d{3}-\d{4}/ })).toBeVisible();
    await expect(help.getByRole('link', { name: /@/ })).toBeVisible();
    await signIn(page, { ...cast.sent, typed: office.typed }, office.url);
    await page.getByRole('button', { name: /Ines Marlowe/ }).click();
    const panel = page.getByRole('region', { name: 'Your details' });
    await expect(panel.getByRole('link', { name: /\(800\) \d{3}-\d{4}/ })).toBeVisible();
    await expect(panel.getByRole('link', { name: /@/ })).toBeVisible();
    office.close();
  },
);

test('on a phone the details lead to the ballots, previous ones only where there are some', async ({
  page,
  baseURL,
  isMobile,
}) => {
  await signIn(page, cast.accepted, baseURL, '/voter/preferences');
  const counted = Promise.withResolvers<void>();
  await page.route('**/api/voter/archive-ballot*', async (route) => {
    await counted.promise;
    await route.continue();
  });
  await page.reload();
  const actions = page.locator('.profile-actions');
  // What else happens meanwhile says nothing of previous ballots.
  await page.getByRole('contentinfo').getByRole('link', { name: 'SMS Terms' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  counted.resolve();
  await page.getByRole('button', { name: /Margaret/ }).click();
  if (!isMobile) return await expect(actions).toBeHidden();

  await expect(actions.getByRole('button')).toHaveText([
    'Current Mail Ballot Status',
    'Previous Mail Ballots',
    'Log out',
  ]);
  await actions.getByRole('button', { name: 'Current Mail Ballot Status' }).click();
  await expect(page).toHaveURL(/\/voter\/dashboard$/);
  await expect(page.locator('.dashboard-main')).toBeFocused();
  await expect(page.getByRole('article')).toBeInViewport();

  await page.getByRole('button', { name: /Margaret/ }).click();
  await actions.getByRole('button', { name: 'Previous Mail Ballots' }).click();
  const previous = page.getByRole('region', { name: 'Previous Mail Ballots' });
  await expect(previous).toBeInViewport();
  await expect(previous).toBeFocused();

  await page.getByRole('button', { name: /Margaret/ }).click();
  await actions.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test('previous ballots are one step away from any page', async ({
  page,
  baseURL,
  isMobile,
  expectConsole,
}) => {
  // Of the page that is not there.
  expectConsole(/status of 404/);
  for (const path of ['/voter/preferences', '/voter/messages', '/voter/nowhere']) {
    await signIn(page, cast.accepted, baseURL, path);
    await page.getByRole('button', { name: /Margaret/ }).click();
    const actions = page.locator('.profile-actions');
    if (!isMobile) {
      await expect(actions).toBeHidden();
      continue;
    }
    await actions.getByRole('button', { name: 'Previous Mail Ballots' }).click();
    await expect(page.getByRole('region', { name: 'Previous Mail Ballots' })).toBeInViewport();
  }
});

test('the profile button shows the voter’s name, shortened where there is little room', async ({
  page,
  baseURL,
}) => {
  for (const member of [cast.accepted, cast.longName]) {
    await signIn(page, member, baseURL, '/voter/preferences');
    const name = page.locator('.profile-name');
    await expect(name).toBeInViewport();
    await expect(name).toContainText(member.typed.lastname);
    const box = await name.boundingBox();
    expect(box?.width).toBeGreaterThan(40);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  }
});

test('on a phone a voter without previous ballots is offered none', async ({
  page,
  baseURL,
  isMobile,
}) => {
  await signIn(page, cast.returned, baseURL);
  const asked = page.waitForResponse((response) => response.url().includes('archive-ballot'));
  await open(page, '/voter/dashboard');
  await asked;
  await page.getByRole('button', { name: /Soledad/ }).click();
  const actions = page.locator('.profile-actions');
  if (!isMobile) return await expect(actions).toBeHidden();
  await expect(actions.getByRole('button')).toHaveText(['Current Mail Ballot Status', 'Log out']);
});
