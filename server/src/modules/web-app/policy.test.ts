import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import { readConfig } from '../../platform/config.ts';
import { createSites } from '../sites/index.ts';
import { readCatalog } from '../texts/index.ts';
import { contentSecurityPolicy } from './policy.ts';

let api: TestApi;
const config = readConfig({ CAPTCHA: 'altcha', DEFAULT_ACCOUNT: '' });
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

async function policyOf(settings: Record<string, unknown>, isSignedIn = false): Promise<string> {
  const subdomain = `p${Math.random().toString(36).slice(2, 10)}`;
  await addOffice(api.test, { subdomain, ...settings });
  const sites = createSites(api.test.database, readCatalog('locales'), config);
  const site = await sites.ofHost(`${subdomain}.localhost`);
  if (!site) throw new Error('There is no such site.');
  return contentSecurityPolicy(site, ["'sha256-x'"], { isSignedIn });
}

describe('the page’s content security policy', () => {
  test('allows no other sites, nothing inline, and no framing', async () => {
    expect(await policyOf({})).toBe(
      [
        "default-src 'none'",
        "script-src 'self'",
        "worker-src 'self'",
        "style-src 'self' 'sha256-x'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    );
  });

  test('allows what the office chose, and nothing more', async () => {
    const policy = await policyOf({
      frame_ancestors: ['https://www.harbor-county.example/elections'],
      recaptcha: { site_key: 'a', secret_key: 'b' },
      launchdarkly_client_id: '0123456789abcdef01234567',
      analytics: { kind: 'matomo', url: 'https://stats.example/matomo/', site_id: '3' },
    });
    const recaptcha = 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/';
    const launchDarkly = 'https://clientsdk.launchdarkly.com https://clientstream.launchdarkly.com';
    expect(policy).toBe(
      [
        "default-src 'none'",
        `script-src 'self' ${recaptcha} https://stats.example`,
        "worker-src 'self'",
        "style-src 'self' 'sha256-x'",
        "img-src 'self' data: https://stats.example",
        `connect-src 'self' ${recaptcha} ${launchDarkly} https://stats.example`,
        "font-src 'self'",
        "manifest-src 'self'",
        `frame-src ${recaptcha} https://recaptcha.google.com/recaptcha/`,
        "form-action 'self'",
        "base-uri 'none'",
        'frame-ancestors https://www.harbor-county.example',
      ].join('; '),
    );
  });

  test.each([
    { kind: 'matomo', url: 'https://stats.example/', site_id: '3' },
    { kind: 'ga4', measurement_id: 'G-ABC123' },
  ])(
    'allows no other company’s analytics once a voter is signed in, unless the office wants it',
    async (analytics) => {
      const company = /stats\.example|google/;
      expect(await policyOf({ analytics })).toMatch(company);
      expect(await policyOf({ analytics }, true)).not.toMatch(company);
      expect(await policyOf({ analytics: { ...analytics, when_signed_in: true } }, true)).toMatch(
        company,
      );
    },
  );

  test('is followed by what the page is given: no analytics for a signed-in voter', async () => {
    const analytics = { kind: 'matomo', url: 'https://stats.example/', site_id: '3' };
    for (const [subdomain, isWanted] of [
      ['quiet', false],
      ['counted', true],
    ] as const) {
      const settings = { ...analytics, ...(isWanted && { when_signed_in: true }) };
      const office = await addOffice(api.test, { subdomain, analytics: settings });
      await addVoter(api.test, office, { lastname: 'Counted' });
      const browser = api.browser(`${subdomain}.localhost`);
      expect((await browser.get('/api/voter/branding')).body).toContain('stats.example');
      await browser.post('/api/voter/session', typed({ lastname: 'Counted' }));
      const { body } = await browser.get('/api/voter/branding');
      expect(body.includes('stats.example')).toBe(isWanted);
    }
  });
});
