import type { Page } from '@playwright/test';
import { cast } from '../../demo/cast.ts';
import { expect, once, test } from '../fixtures.ts';
import { comeFromElsewhere, fillIn, open, signIn, submit } from '../sign-in.ts';

const session = '**/api/voter/session';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test('nothing moves for a voter who asked for stillness', once, async ({ page, baseURL }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.route(session, () => {});
  await open(page, '/voter');
  await fillIn(page, cast.sent.typed);
  await submit(page);
  await page.locator('[data-busy]').waitFor();
  await expectStillness(page, 'turn');
  // The waiting request ends with its page: sent on, it would end the session that comes next.
  await page.goto('about:blank');
  await page.unroute(session);

  await signIn(page, cast.sent, baseURL, '/voter/dashboard');
  await page.locator('.ballot').waitFor();
  await page.locator('.timeline summary').click();
  await expectStillness(page, 'beacon');

  for (const link of ['Voter FAQ', 'Release Notes']) {
    await page.locator('footer').getByText(link).click();
    await page.getByRole('dialog').waitFor();
    await expectStillness(page);
    await page.keyboard.press('Escape');
  }
});

/** @param otherwise the one movement that the same page has for everybody else, which shows that movements are seen. */
async function expectStillness(page: Page, otherwise?: string): Promise<void> {
  expect(await page.evaluate(findMovements)).toEqual([]);
  if (!otherwise) return;
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await page.evaluate(findMovements)).toContain(otherwise);
  await page.emulateMedia({ reducedMotion: 'reduce' });
}

/** Runs in the page: the animations and transitions that last longer than a frame, of elements and of what scripts move. */
function findMovements(): string[] {
  const frame = 0.016;
  const seconds = (list: string) => Math.max(...list.split(',').map(Number.parseFloat));
  const found = new Set<string>();
  for (const element of document.querySelectorAll('*'))
    for (const part of [null, '::before', '::after', '::backdrop']) {
      const style = getComputedStyle(element, part);
      if (style.animationName !== 'none' && seconds(style.animationDuration) > frame)
        found.add(style.animationName);
      if (seconds(style.transitionDuration) > frame)
        found.add(`change of ${style.transitionProperty}`);
      if (style.scrollBehavior === 'smooth') found.add('smooth scrolling');
    }
  for (const { effect } of document.getAnimations())
    if (Number(effect?.getComputedTiming().activeDuration) > frame * 1000)
      found.add('a movement by script');
  return [...found];
}
