import type { Channel } from '@ballot-beacon/contract/messages';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/postgres.ts';
import { createHttpSmsProvider } from './http-sms.ts';
import { createLocalProvider } from './local/local.ts';
import { createNoProvider } from './no-provider.ts';
import type { Provider, Receipt } from './provider.ts';
import type { ChannelSettings } from './settings.ts';
import { createSmtpProvider } from './smtp.ts';
import { createTwilioProviders } from './twilio/index.ts';

/** Each channel's providers in order of preference; only the local provider where no other is set up. */
export type Providers = Readonly<Record<Channel, readonly Provider[]>>;

/** @param callbackBase where providers report to, `https://…/api/provider` */
export function createProviders(
  settings: ChannelSettings,
  callbackBase: string,
  db: Db,
  clock: Clock,
  onReceipts: (receipts: readonly Receipt[]) => Promise<void>,
): Providers {
  const orLocal = (channel: Channel, decision: 'none' | undefined, real: readonly Provider[]) => {
    if (decision === 'none') return [createNoProvider(channel)];
    return real.length > 0 ? real : [createLocalProvider(channel, db, clock, onReceipts)];
  };
  const email: Provider[] = [];
  const sms: Provider[] = [];
  const voice: Provider[] = [];
  if (settings.SMTP_URL !== undefined) {
    const { DKIM_DOMAIN, DKIM_SELECTOR, DKIM_PRIVATE_KEY } = settings;
    email.push(
      createSmtpProvider({
        url: settings.SMTP_URL,
        dkim:
          DKIM_DOMAIN && DKIM_SELECTOR && DKIM_PRIVATE_KEY
            ? { domainName: DKIM_DOMAIN, keySelector: DKIM_SELECTOR, privateKey: DKIM_PRIVATE_KEY }
            : null,
      }),
    );
  }
  const twilio = createTwilioProviders(settings, callbackBase);
  if (twilio) {
    sms.push(twilio.sms);
    voice.push(twilio.voice);
  }
  if (settings.SMS_HTTP_URL !== undefined && settings.SMS_HTTP_TOKEN !== undefined)
    sms.push(
      createHttpSmsProvider({
        url: settings.SMS_HTTP_URL,
        token: settings.SMS_HTTP_TOKEN,
        callbackUrl: `${callbackBase}/sms/status`,
      }),
    );
  return {
    email: orLocal('email', settings.EMAIL_PROVIDER, email),
    sms: orLocal('sms', settings.SMS_PROVIDER, sms),
    voice: orLocal('voice', settings.VOICE_PROVIDER, voice),
  };
}
