import { afterEach, expect, test, vi } from 'vitest';
import { createAnalytics } from './analytics.ts';

afterEach(() => vi.unstubAllGlobals());

test('pages after the first are counted, and nothing of visitors who ask for that', async () => {
  const counted: string[] = [];
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    counted.push(JSON.parse(body).name);
    return new Response(null, { status: 204 });
  });
  const visit = (wishes: object, second: 'page:faq' | 'page:privacy') => {
    vi.stubGlobal('navigator', wishes);
    const analytics = createAnalytics({ analytics: null });
    // The server counted this one.
    analytics.pageView('page:login');
    analytics.pageView(second);
    analytics.event('event:translations-failed');
  };
  visit({ doNotTrack: '1' }, 'page:privacy');
  visit({ globalPrivacyControl: true }, 'page:privacy');
  visit({}, 'page:faq');
  await vi.waitUntil(() => counted.includes('page:faq') && counted.length > 1, 20_000);
  expect(counted).toEqual(['page:faq', 'event:translations-failed']);
});
