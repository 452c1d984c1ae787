import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';

const Port = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535));
const Switch = z.pipe(
  z.enum(['0', '1', 'true', 'false']),
  z.transform((text) => text === '1' || text === 'true'),
);
const HttpUrl = z.url({ protocol: /^https?$/ });
const Subdomain = z.string().check(z.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/));

/** Every setting the product reads from its environment, with its default (architecture, The outside interface). */
const Environment = z.object({
  NODE_ENV: z._default(z.string(), 'development'),
  PORT: z._default(Port, 8080),
  HOST: z._default(z.string(), '127.0.0.1'),
  BEACON_DATA: z._default(z.string(), '.beacon'),
  // Not a URL by the web's rules: a server on a unix socket has no host (`postgresql://user@/name?host=/folder`).
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\/\S+$/))),
  BASE_DOMAIN: z._default(z.string().check(z.regex(/^[a-z0-9.-]+$/)), 'localhost'),
  /** Empty: the bare host serves no account of its own. */
  DEFAULT_ACCOUNT: z._default(z.union([z.literal(''), Subdomain]), 'demo'),
  BEACON_DEMO: z._default(Switch, true),
  CAPTCHA: z._default(z.enum(['altcha', 'recaptcha', 'off']), 'altcha'),
  LOCATOR_URL: z._default(HttpUrl, 'https://www.usvotefoundation.org/vote/eoddomestic.htm'),
  AVAILABILITY_URL: z._default(HttpUrl, 'https://www.vote.org/ballot-tracker-tools/'),
  /** The address voters see, such as https://vote.example.gov; unset: http on the host asked for. */
  PUBLIC_URL: z.optional(HttpUrl),
  /** True behind a proxy that sets X-Forwarded-For and X-Forwarded-Proto itself. */
  TRUST_PROXY: z._default(Switch, false),
  PG_BIN: z.optional(z.string()),
  DATABASE_CONNECTIONS: z._default(
    z.coerce.number().check(z.int(), z.minimum(2), z.maximum(500)),
    20,
  ),
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']), 'info'),
  API_DOCS: z._default(Switch, true),
  /** Two secrets at once, newest first, comma-separated: sign with the first, accept both. */
  BEACON_SECRETS: z.optional(z.string()),
});

type EnvironmentValues = z.infer<typeof Environment>;

export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
  readonly databaseConnections: number;
  readonly baseDomain: string;
  readonly defaultAccount: string | undefined;
  readonly demo: boolean;
  readonly captcha: 'altcha' | 'recaptcha' | 'off';
  readonly locatorUrl: string;
  readonly availabilityUrl: string;
  readonly publicUrl: URL | undefined;
  readonly trustProxy: boolean;
  readonly pgBin: string | undefined;
  readonly logLevel: EnvironmentValues['LOG_LEVEL'];
  readonly apiDocs: boolean;
  readonly secrets: readonly string[] | undefined;
}

/** A setting that cannot be used; the message names it, says what is wrong and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration from environment variables. Any NAME may be given as NAME_FILE, a path whose content is
 * the value, as secret stores mount them.
 *
 * @throws {ConfigError} naming every unusable variable at once.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(
    Object.keys(Environment.shape)
      .map((name) => [name, readVariable(environment, name)] as const)
      .filter(([, value]) => value !== undefined),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(
      `These settings cannot be used. Correct them and start again.\n  ${wrong.join('\n  ')}`,
    );
  }
  const values = parsed.data;
  const production = values.NODE_ENV === 'production';
  if (production && values.CAPTCHA === 'off') {
    throw new ConfigError(
      'CAPTCHA=off is for tests and local runs. In production set CAPTCHA=altcha or CAPTCHA=recaptcha.',
    );
  }
  return Object.freeze({
    production,
    port: values.PORT,
    host: values.HOST,
    dataDirectory: resolve(values.BEACON_DATA),
    databaseUrl: values.DATABASE_URL,
    databaseConnections: values.DATABASE_CONNECTIONS,
    baseDomain: values.BASE_DOMAIN,
    defaultAccount: values.DEFAULT_ACCOUNT || undefined,
    demo: values.BEACON_DEMO,
    captcha: values.CAPTCHA,
    locatorUrl: values.LOCATOR_URL,
    availabilityUrl: values.AVAILABILITY_URL,
    publicUrl: values.PUBLIC_URL === undefined ? undefined : new URL(values.PUBLIC_URL),
    trustProxy: values.TRUST_PROXY,
    pgBin: values.PG_BIN,
    logLevel: values.LOG_LEVEL,
    apiDocs: values.API_DOCS,
    secrets: readSecrets(values.BEACON_SECRETS),
  });
}

/** Reads NAME, or the content of the file that NAME_FILE names. */
export function readVariable(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = environment[`${name}_FILE`];
  if (file === undefined) return environment[name];
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new ConfigError(`${name}_FILE names ${file}, which cannot be read.`);
  }
}

function readSecrets(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const secrets = text.split(',').map((secret) => secret.trim());
  if (secrets.some((secret) => secret.length < 32)) {
    throw new ConfigError('BEACON_SECRETS: each secret needs at least 32 characters.');
  }
  return secrets;
}
