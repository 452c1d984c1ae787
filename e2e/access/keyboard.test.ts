import type { Locator, Page } from '@playwright/test';
import { cast } from '../../demo/cast.ts';
import { expect, test } from '../fixtures.ts';
import { comeFromElsewhere, open } from '../sign-in.ts';

/**
 * One voter's whole journey with the keyboard alone, and what a screen reader says at each step. The two projects take
 * voters of their own, as each changes what it finds.
 */
test('a voter who has only a keyboard signs in, reads the status, changes the preferences, opts out and logs out', async ({
  page,
  isMobile,
  expectConsole,
}) => {
  test.slow();
  expectConsole(/Failed to load resource: the server responded with a status of 401/);
  const voter = isMobile ? cast.ambiguousAccent : cast.ambiguousPlain;
  await comeFromElsewhere(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, '/voter');

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the sign-in form' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'First name' })).toBeFocused();
  await expect(page.locator('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Where is my mail ballot?" [level=1]
      - form "Sign in to track your ballot":
        - heading "Sign in to track your ballot" [level=2]
        - textbox "First name"
        - textbox "Last name"
        - textbox "ZIP code"
        - textbox "Date of birth"
        - button "Sign in"
      - complementary:
        - region "Need help?":
          - paragraph:
            - link /Call/
            - link /Email/
  `);
  await page.keyboard.type(voter.typed.firstname);
  for (const part of ['lastname', 'zipcode', 'birthdate'] as const) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(voter.typed[part]);
  }
  await page.keyboard.press('Enter');

  const voterId = page.getByRole('textbox', { name: 'Voter ID' });
  await expect(voterId).toBeVisible();
  await expect(page.locator('main')).toMatchAriaSnapshot(`
    - main:
      - alert:
        - text: "Notice:"
        - paragraph: /matches someone else/
        - button "Close messages"
      - form "One more detail":
        - heading "One more detail" [level=2]
        - textbox "Voter ID"
        - button "Continue"
        - button "Cancel"
  `);
  await tabTo(page, voterId);
  await page.keyboard.type(voter.registrationId);
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL(/\/voter\/preferences$/);
  await expect(page.locator('main')).toMatchAriaSnapshot(`
    - main:
      - form "Contact Preferences":
        - heading "Contact Preferences" [level=1]
        - group "Email":
          - checkbox "Send me emails"
          - textbox "Email address"
        - group "Text messages":
          - checkbox "Send me texts"
        - group "Voice calls":
          - checkbox "Call me"
        - group "Limit notification hours":
          - checkbox "Contact me only between these times"
        - group "Preferred language":
          - combobox "Language for messages"
        - button "CONFIRM"
        - button "Reset Form"
  `);
  await tabTo(page, page.getByRole('textbox', { name: 'Email address' }));
  await page.keyboard.type('keys@');
  await page.keyboard.press('Enter');
  const email = page.getByRole('textbox', { name: 'Email address' });
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription(/Invalid email/);
  await page.keyboard.press('End');
  await page.keyboard.type('harbor.example');
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL(/\/voter\/dashboard$/);
  await expect(page.locator('main')).toMatchAriaSnapshot(`
    - main:
      - alert:
        - paragraph: Your information has been updated.
      - heading "Current Mail Ballot Status" [level=1]
      - article "Harbor County Special Election":
        - heading "Harbor County Special Election" [level=2]
        - list "Your ballot's progress":
          - listitem: /Printed/
        - group: /Details/
      - complementary "Help and contact preferences":
        - region "Need help?"
        - form "Contact Preferences":
          - heading "Contact Preferences" [level=2]
          - button "Update"
          - button "OPT OUT OF ALL UPDATES"
  `);

  const details = page.locator('.timeline');
  await tabTo(page, details.locator('summary'));
  await page.keyboard.press('Enter');
  await expect(details).toHaveAttribute('open', '');
  await expect(details.locator('time').first()).toBeVisible();

  await tabTo(page, page.getByRole('checkbox', { name: 'Contact me only between these times' }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Update', exact: true }));
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.keyboard.press('Enter');
  await saved;
  await expect(page.getByRole('alert')).toMatchAriaSnapshot(`
    - alert:
      - paragraph: Your information has been updated.
  `);
  await expect(
    page.getByRole('checkbox', { name: 'Contact me only between these times' }),
  ).toBeChecked();

  const optOut = page.getByRole('button', { name: 'OPT OUT OF ALL UPDATES' });
  await expect(optOut).toBeEnabled();
  await tabTo(page, optOut);
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog');
  await expect(question).toMatchAriaSnapshot(`
    - alertdialog:
      - heading [level=2]
      - region:
        - paragraph
        - button
        - button "OPT OUT OF ALL UPDATES"
  `);
  await tabTo(page, question.getByRole('button', { name: 'OPT OUT OF ALL UPDATES' }));
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await expect(page.getByRole('checkbox', { name: 'Send me emails' })).not.toBeChecked();

  await tabTo(page, page.getByRole('button', { name: 'Log out' }));
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Where is my mail ballot?" [level=1]
      - form "Sign in to track your ballot":
        - textbox "First name"
  `);
  await expect(page.getByRole('textbox', { name: 'First name' })).toHaveValue('');
});

/** Goes on with the Tab key, around the page if need be; every stop on the way can be seen. */
async function tabTo(page: Page, goal: Locator): Promise<void> {
  const isThere = () => goal.evaluate((element) => element === document.activeElement);
  for (let stops = 0; stops < 120 && !(await isThere()); stops++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(findHiddenFocus)).toBeNull();
  }
  await expect(goal).toBeFocused();
}

/** Runs in the page: the focused element when something else lies over it (WCAG 2.2, Focus Not Obscured). */
function findHiddenFocus(): string | null {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  const { left, top, width, height } = focused.getBoundingClientRect();
  const points = [0.1, 0.5, 0.9].flatMap((x) =>
    [0.1, 0.5, 0.9].map((y) => [left + width * x, top + height * y] as const),
  );
  const isSeen = points.some(([x, y]) => {
    const over = document.elementFromPoint(x, y);
    return (
      over !== null &&
      (focused.contains(over) ||
        over.contains(focused) ||
        over.closest('label')?.control === focused)
    );
  });
  return isSeen ? null : focused.outerHTML.slice(0, 200);
}
