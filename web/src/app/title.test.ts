import type { CriticalData } from '@ballot-beacon/contract/bootstrap';
import type { Branding } from '@ballot-beacon/contract/branding';
import { createTranslate } from '@ballot-beacon/contract/translate';
import { expect, test } from 'vitest';
import english from '../../../locales/english/main.json' with { type: 'json' };
import { titleOf } from './title.ts';

const t = createTranslate('english', english);
const adams = { account_id: 7, name: 'Adams County Elections' } as Branding;
const named = (name: string) => ({ status_summary: { current_status: { display_name: name } } });
const signedIn = {
  progress: { ballots: [named('Accepted'), named('Sent')] },
} as unknown as Pick<CriticalData, 'progress'>;

test('a title names the screen and the office, and on the dashboard alone how the first ballot stands', () => {
  const site = ' – Adams County Elections';
  expect(titleOf('faq', adams, t, signedIn)).toBe(`${t('title.faq')}${site}`);
  expect(titleOf('dashboard', adams, t, signedIn)).toBe(
    `Accepted – ${t('title.dashboard')}${site}`,
  );
  expect(titleOf('dashboard', adams, t, null)).toBe(`${t('title.dashboard')}${site}`);
  const nobody = { ...adams, account_id: -1 };
  expect(titleOf('login', nobody, t, null)).toBe(`${t('title.login')} – ${t('app.name')}`);
});
