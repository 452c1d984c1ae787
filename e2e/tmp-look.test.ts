import { cast } from '../demo/cast.ts';
import { test } from './fixtures.ts';
import { comeFromElsewhere, signIn } from './sign-in.ts';

test('look', async ({ page, baseURL }, info) => {
  await comeFromElsewhere(page);
  for (const name of ['rejectedCurable', 'sent', 'returnInTransit', 'twoBallots'] as const) {
    await page.context().clearCookies();
    await signIn(page, cast[name], baseURL, '/voter/dashboard');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: `/tmp/t-page/look/${name}-${info.project.name}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.goto('/voter/preferences');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: `/tmp/t-page/look/preferences-${info.project.name}-${colorScheme}.png`, fullPage: true });
  }
});
