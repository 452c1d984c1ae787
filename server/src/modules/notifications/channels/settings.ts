import { createPrivateKey } from 'node:crypto';
import * as z from 'zod/mini';
import { type Config, ConfigError } from '../../../platform/config.ts';
import { twilioEnvironment } from './twilio/index.ts';

const httpUrl = z.url({ protocol: /^https?$/ });

/** The environment of the providers (docs/operations.md, Messages). Without any, the local provider keeps everything. */
const Environment = z.object({
  /** In production every channel has a provider below, or `none` here. */
  EMAIL_PROVIDER: z.optional(z.literal('none')),
  SMS_PROVIDER: z.optional(z.literal('none')),
  VOICE_PROVIDER: z.optional(z.literal('none')),
  /** `smtps://user:password@host:465` */
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/ })),
  /** Domain of the sender's address: `SUBDOMAIN@MAIL_DOMAIN`. Unset: see {@link mailDomainOf}. */
  MAIL_DOMAIN: z.optional(z.string().check(z.regex(/^[a-z0-9.-]+$/))),
  DKIM_DOMAIN: z.optional(z.string()),
  DKIM_SELECTOR: z.optional(z.string()),
  /** PEM. With any other the mail library leaves mail unsigned and says nothing. */
  DKIM_PRIVATE_KEY: z.optional(
    z
      .string()
      .check(
        z.refine(
          isRsaKey,
          'must be an RSA private key in PEM with its lines, as DKIM_PRIVATE_KEY_FILE takes it from a file',
        ),
      ),
  ),
  ...twilioEnvironment,
  /** The second SMS provider: where it takes messages, and the token both ways. */
  SMS_HTTP_URL: z.optional(httpUrl),
  SMS_HTTP_TOKEN: z.optional(z.string().check(z.minLength(16))),
  /** The token with which a mail system reports bounces and complaints to /api/provider/mail/events. */
  MAIL_EVENTS_TOKEN: z.optional(z.string().check(z.minLength(16))),
});

export type ChannelSettings = z.infer<typeof Environment>;

/** The domain that mail comes from: that of the address voters see, where none is set. */
export function mailDomainOf({ publicUrl, baseDomain }: Config, settings: ChannelSettings): string {
  return settings.MAIL_DOMAIN ?? publicUrl?.hostname ?? baseDomain;
}

/** @throws {ConfigError} naming each unusable variable, and those that need another beside them. */
export function readChannelSettings(read: (name: string) => string | undefined): ChannelSettings {
  const given = Object.fromEntries(
    Object.keys(Environment.shape).flatMap((name) => {
      const value = read(name);
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success)
    throw new ConfigError(
      `These settings cannot be used. Correct them and start again.\n  ${parsed.error.issues
        .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
        .join('\n  ')}`,
    );
  for (const group of [
    ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'],
    ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
    ['SMS_HTTP_URL', 'SMS_HTTP_TOKEN'],
  ] as const) {
    const missing = group.filter((name) => parsed.data[name] === undefined);
    if (missing.length > 0 && missing.length < group.length)
      throw new ConfigError(
        `${missing.join(' and ')} must be set together with the rest of ${group.join(', ')}.`,
      );
  }
  return parsed.data;
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
