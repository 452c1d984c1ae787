import { cast } from '../../demo/cast.ts';
import { expect, once, test } from '../fixtures.ts';
import { holdScript } from '../hold-script.ts';
import { comeFromElsewhere, fillIn, open, submit } from '../sign-in.ts';

test(
  'a voter with a five-year-old phone on a slow network types at once, signs in and reads the status',
  once,
  async ({ page }) => {
    test.slow();
    await comeFromElsewhere(page);
    const devices = await page.context().newCDPSession(page);
    // Chrome's “Slow 3G”, and a processor a fourth as fast.
    await devices.send('Network.enable');
    await devices.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 50_000,
      uploadThroughput: 50_000,
    });
    await devices.send('Emulation.setCPUThrottlingRate', { rate: 4 });

    const release = await holdScript(page);
    await page.goto('/voter', { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Where is my mail ballot?');
    // The words and the form come before the script does.
    await expect(page.locator('html[data-ready]')).toHaveCount(0);
    await fillIn(page, cast.accepted.typed);
    release();

    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    for (const [name, value] of Object.entries(cast.accepted.typed))
      await expect(page.locator(`[name="${name}"]`)).toHaveValue(value);
    await submit(page);
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).waitFor();
    await open(page, '/voter/dashboard');
    await expect(page.getByRole('article')).toContainText('Your ballot was accepted.');
  },
);
