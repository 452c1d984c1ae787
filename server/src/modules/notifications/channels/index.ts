import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/postgres.ts';
import type { Channel } from '../texts/render.ts';
import { createHttpSmsProvider } from './http-sms.ts';
import { createLocalProvider, type LocalReceipt } from './local/local.ts';
import type { Provider } from './provider.ts';
import type { ChannelSettings } from './settings.ts';
import { createSmtpProvider } from './smtp.ts';
import { createTwilioSmsProvider, createTwilioVoiceProvider } from './twilio.ts';

/** Each channel's providers in order of preference; the local one alone where none is set up. */
export type Providers = Readonly<Record<Channel, readonly Provider[]>>;

/** @param callbackBase where providers report to, `https://…/api/provider` */
export function createProviders(
  settings: ChannelSettings,
  callbackBase: string,
  db: Db,
  clock: Clock,
  onReceipts: (receipts: readonly LocalReceipt[]) => Promise<void>,
): Providers {
  const local = (channel: Channel) => [createLocalProvider(channel, db, clock, onReceipts)];
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
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } = settings;
  if (TWILIO_ACCOUNT_SID !== undefined && TWILIO_AUTH_TOKEN !== undefined) {
    const twilio = {
      accountSid: TWILIO_ACCOUNT_SID,
      authToken: TWILIO_AUTH_TOKEN,
      baseUrl: settings.TWILIO_API_URL,
      callbackUrl: `${callbackBase}/twilio`,
      messagingServiceSid: settings.TWILIO_MESSAGING_SERVICE_SID ?? null,
    };
    sms.push(createTwilioSmsProvider(twilio));
    voice.push(createTwilioVoiceProvider(twilio));
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
    email: email.length > 0 ? email : local('email'),
    sms: sms.length > 0 ? sms : local('sms'),
    voice: voice.length > 0 ? voice : local('voice'),
  };
}
