import * as z from 'zod/mini';
import type { Provider } from '../provider.ts';
import { createTwilioSmsProvider, createTwilioVoiceProvider } from './send.ts';

export { registerTwilioRoutes } from './routes.ts';

/** Its part of the environment (docs/operations.md, Messages). */
export const twilioEnvironment = {
  TWILIO_ACCOUNT_SID: z.optional(z.string()),
  TWILIO_AUTH_TOKEN: z.optional(z.string()),
  TWILIO_MESSAGING_SERVICE_SID: z.optional(z.string()),
  /** Another address of the API than Twilio's own, for tests and proxies. */
  TWILIO_API_URL: z._default(z.url({ protocol: /^https?$/ }), 'https://api.twilio.com'),
};

interface TwilioSettings {
  readonly TWILIO_ACCOUNT_SID?: string | undefined;
  readonly TWILIO_AUTH_TOKEN?: string | undefined;
  readonly TWILIO_MESSAGING_SERVICE_SID?: string | undefined;
  readonly TWILIO_API_URL: string;
}

/**
 * Twilio for texts and for calls; undefined where the settings name no account.
 *
 * @param callbackBase where providers report to, `https://…/api/provider`
 */
export function createTwilioProviders(
  settings: TwilioSettings,
  callbackBase: string,
): { readonly sms: Provider; readonly voice: Provider } | undefined {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = settings;
  if (accountSid === undefined || authToken === undefined) return undefined;
  const access = {
    accountSid,
    authToken,
    baseUrl: settings.TWILIO_API_URL,
    callbackUrl: `${callbackBase}/twilio`,
    messagingServiceSid: settings.TWILIO_MESSAGING_SERVICE_SID ?? null,
  };
  return { sms: createTwilioSmsProvider(access), voice: createTwilioVoiceProvider(access) };
}
