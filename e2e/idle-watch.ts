import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/**
 * Waits until the page watches for activity: later than its script has taken over, because React hydrates that part last.
 * A clock that is moved before has no idle time to end.
 */
export const expectWatch = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => localStorage.getItem('beacon.lastActivity')))
    .not.toBeNull();
