import type { Branding } from '@ballot-beacon/contract/branding';
import type { Translate } from '@ballot-beacon/contract/translate';
import type { Screen } from './routes.ts';

const keys: Readonly<Record<Screen, string>> = {
  login: 'title.login',
  dashboard: 'title.dashboard',
  preferences: 'title.preferences',
  'confirm-check': 'title.confirmCheck',
  'confirm-email': 'title.confirmEmail',
  privacy: 'title.privacy',
  faq: 'title.faq',
  'sms-policy': 'title.smsPolicy',
  accessibility: 'accessibility.title',
  unsubscribe: 'title.unsubscribe',
  'qr-login': 'title.qrLogin',
  'not-found': 'title.notFound',
};

/** The window's title: the screen first, as that tells tabs apart. */
export function titleOf(screen: Screen, branding: Branding, t: Translate): string {
  const site = branding.account_id === -1 ? t('app.name') : branding.name;
  return `${t(keys[screen])} – ${site}`;
}
