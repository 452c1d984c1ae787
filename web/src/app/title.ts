import type { CriticalData } from '@ballot-beacon/contract/bootstrap';
import type { Branding } from '@ballot-beacon/contract/branding';
import type { Screen } from '@ballot-beacon/contract/pages';
import type { Translate } from '@ballot-beacon/contract/translate';

const keys: Readonly<Record<Screen, string>> = {
  login: 'title.login',
  dashboard: 'title.dashboard',
  preferences: 'title.preferences',
  messages: 'messages.title',
  'confirm-check': 'title.confirmCheck',
  'confirm-email': 'title.confirmEmail',
  privacy: 'title.privacy',
  faq: 'title.faq',
  'sms-policy': 'title.smsPolicy',
  accessibility: 'accessibility.title',
  unsubscribe: 'title.unsubscribe',
  verify: 'verify.title',
  performance: 'performance.title',
  'qr-login': 'title.qrLogin',
  letter: 'letter.title',
  'not-found': 'title.notFound',
};

/** The window's title: the screen first, as that distinguishes tabs; before it on the dashboard, where the ballot is. */
export function titleOf(
  screen: Screen,
  branding: Branding,
  t: Translate,
  critical: Pick<CriticalData, 'progress'> | null,
): string {
  const site = branding.account_id === -1 ? t('app.name') : branding.name;
  const ballot = screen === 'dashboard' && critical?.progress.ballots[0];
  const status = ballot ? `${ballot.status_summary.current_status.display_name} – ` : '';
  return `${status}${t(keys[screen])} – ${site}`;
}
