import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { type IdentityProvider, IdentityProviders, isPlainHttp } from './identity-providers.ts';
import { decodeSetting, KeyList, Proxies, postgresUrl } from './setting-lists.ts';
import { type SiteLimits, siteLimitsOf } from './site-limits.ts';
import { wholeNumber } from './whole-number.ts';

const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  z.enum(values, `must be ${values.join(' or ')}`);
const text = (pattern: RegExp, wanted: string) => z.string().check(z.regex(pattern, wanted));
const Switch = z.pipe(
  oneOf('0', '1', 'true', 'false'),
  z.transform((value) => value === '1' || value === 'true'),
);
const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const domain = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;
const subdomain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?$/;

/** Nobody answers these. */
export const madeUpContact = {
  phone: '+18005550199',
  email: 'support@ballot-beacon.example',
} as const;

/** Nothing of the demo, and nothing that only developers need, unless an operator asks for it. */
const productionDefaults = { BEACON_DEMO: '0', DEFAULT_ACCOUNT: '', API_DOCS: '0' };

/** Every setting the product reads from its environment, with its default (architecture, The outside interface). */
const Environment = z.object({
  NODE_ENV: z._default(oneOf('development', 'production', 'test'), 'development'),
  PORT: z._default(wholeNumber(0, 65_535), 8080),
  /** Where the api answers about its health and figures whatever visitors do; unset: on PORT alone. */
  HEALTH_PORT: z.optional(wholeNumber(0, 65_535)),
  /** Where the worker answers about its health and figures; unset: nowhere. */
  WORKER_PORT: z.optional(wholeNumber(0, 65_535)),
  HOST: z._default(z.string(), '127.0.0.1'),
  BEACON_DATA: z._default(z.string(), '.beacon'),
  // Not a URL by the web's rules: a server on a unix socket has no host (`postgresql://user@/name?host=/folder`).
  DATABASE_URL: z.optional(postgresUrl),
  /** Past a pooler: for migrations, for listening and for locks. */
  DATABASE_DIRECT_URL: z.optional(postgresUrl),
  /** Visitors' requests, by a login that may do no more than they need. */
  DATABASE_API_URL: z.optional(postgresUrl),
  /** The worker, by a login that may do no more than it needs; past a pooler. */
  DATABASE_WORKER_URL: z.optional(postgresUrl),
  /** Providers' calls and pushed scans, by a login that may do no more than they need; past a pooler. */
  DATABASE_INTAKE_URL: z.optional(postgresUrl),
  /** The office's commands and the console, by a login that may do no more than they need; past a pooler. Unset: no console. */
  DATABASE_OFFICE_URL: z.optional(postgresUrl),
  BASE_DOMAIN: z._default(
    text(domain, 'must be a domain in small letters, without port'),
    'localhost',
  ),
  /** Empty: the bare host serves no account of its own. */
  DEFAULT_ACCOUNT: z._default(text(subdomain, "must be an account's subdomain, or empty"), 'demo'),
  BEACON_DEMO: z._default(Switch, true),
  CAPTCHA: z._default(oneOf('altcha', 'recaptcha', 'off'), 'altcha'),
  LOCATOR_URL: z._default(HttpUrl, 'https://www.usvotefoundation.org/vote/eoddomestic.htm'),
  AVAILABILITY_URL: z._default(HttpUrl, 'https://www.vote.org/ballot-tracker-tools/'),
  /** Shown where an office has no contact of its own, and where no office is known yet. */
  SUPPORT_PHONE: z._default(
    text(/^\+1\d{10}$/, 'must be a number such as +18005550199'),
    madeUpContact.phone,
  ),
  SUPPORT_EMAIL: z._default(
    text(/^[^\s@]+@[^\s@]+$/, 'must be an email address'),
    madeUpContact.email,
  ),
  /** Where weaknesses of the product are reported, for /.well-known/security.txt (RFC 9116). */
  SECURITY_CONTACT: z.optional(
    text(
      /^(mailto:[^\s@]+@[^\s@]+|tel:\+\d{8,15}|https:\/\/\S+)$/,
      'must be an address such as mailto:security@example.gov or https://example.gov/report',
    ),
  ),
  /** One choice of language for all sites under it; unset: each site has its own. */
  LANGUAGE_COOKIE_DOMAIN: z.optional(
    text(
      /^[a-z0-9-]+(\.[a-z0-9-]+)+$/,
      'must be a domain of two or more names, such as vote.example.gov',
    ),
  ),
  /** The address voters see, such as https://vote.example.gov; unset: http on the host asked for. */
  PUBLIC_URL: z.optional(HttpUrl),
  /** The proxies in front, by address: X-Forwarded-For and -Proto are trusted only from these. */
  TRUST_PROXY: z._default(Proxies, false),
  /** What a scraper sends as `Authorization: Bearer …`; unset: /metrics answers this machine alone. */
  METRICS_TOKEN: z.optional(
    text(/^\S{16,}$/, 'needs at least 16 characters, none of them a space'),
  ),
  /** Which `beacon doctor` asks for the time. */
  TIME_SERVER: z._default(text(/^[\w.:-]+$/, 'must be the name of a time server'), 'pool.ntp.org'),
  /** A file that the backup touches whenever it succeeded; `beacon doctor` looks at its age. */
  BACKUP_STAMP: z.optional(z.string()),
  /** What the mail relay takes from this site; unset: no limit. */
  EMAIL_PER_SECOND: z.optional(wholeNumber(1, 1_000_000)),
  /** In any 24 hours. */
  EMAIL_PER_DAY: z.optional(wholeNumber(1, 1_000_000_000)),
  /** Visits that the page serves well: news leave no faster than the voters they bring can be served. 0: at any speed. */
  SITE_VISITS_PER_SECOND: z._default(wholeNumber(0, 1_000_000), 200),
  PG_BIN: z.optional(z.string()),
  DATABASE_CONNECTIONS: z._default(wholeNumber(2, 500), 20),
  LOG_LEVEL: z._default(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'), 'info'),
  API_DOCS: z._default(Switch, true),
  /** Where OpenTelemetry traces go, such as http://collector:4318, and what share of them. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(HttpUrl),
  OTEL_TRACES_SAMPLER_ARG: z._default(
    z.coerce
      .number('must be a number from 0 to 1')
      .check(z.minimum(0, 'must be 0 or more'), z.maximum(1, 'must be 1 or less')),
    0.1,
  ),
  /** Two secrets at once, newest first, comma-separated: sign with the first, accept both. */
  BEACON_SECRETS: z.optional(KeyList),
  /** Keys of the voters' security tokens, newest first, comma-separated: store with the first, accept all. */
  BEACON_TOKEN_KEYS: z.optional(KeyList),
  /** Keys that seal uploaded files in the database, newest first, comma-separated: seal with the first, open with all. */
  BEACON_FILE_KEYS: z.optional(KeyList),
  /** The identity providers by which people of offices sign in to the console, as JSON. */
  OFFICE_PROVIDERS: z.optional(IdentityProviders),
});

/** Their values are not repeated in an error, which ends in a log. */
const confidential: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_API_URL',
  'DATABASE_WORKER_URL',
  'DATABASE_INTAKE_URL',
  'DATABASE_OFFICE_URL',
  'BEACON_SECRETS',
  'BEACON_TOKEN_KEYS',
  'BEACON_FILE_KEYS',
  'OFFICE_PROVIDERS',
  'METRICS_TOKEN',
]);

type EnvironmentValues = z.infer<typeof Environment>;

export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly healthPort: number | undefined;
  readonly workerPort: number | undefined;
  readonly host: string;
  /** Absolute. */
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
  readonly databaseDirectUrl: string | undefined;
  readonly databaseApiUrl: string | undefined;
  readonly databaseWorkerUrl: string | undefined;
  readonly databaseIntakeUrl: string | undefined;
  readonly databaseOfficeUrl: string | undefined;
  readonly databaseConnections: number;
  readonly baseDomain: string;
  readonly defaultAccount: string | undefined;
  readonly demo: boolean;
  readonly captcha: 'altcha' | 'recaptcha' | 'off';
  readonly locatorUrl: string;
  readonly availabilityUrl: string;
  /** E.164 */
  readonly supportPhone: string;
  readonly supportEmail: string;
  readonly securityContact: string | undefined;
  readonly languageCookieDomain: string | undefined;
  readonly publicUrl: URL | undefined;
  /** Addresses, comma-separated. */
  readonly trustProxy: false | string;
  readonly metricsToken: string | undefined;
  readonly siteLimits: SiteLimits;
  readonly pgBin: string | undefined;
  readonly timeServer: string;
  readonly backupStamp: string | undefined;
  readonly logLevel: EnvironmentValues['LOG_LEVEL'];
  readonly apiDocs: boolean;
  readonly traces: { readonly endpoint: string; readonly ratio: number } | undefined;
  readonly secrets: readonly string[] | undefined;
  readonly tokenKeys: readonly string[] | undefined;
  readonly fileKeys: readonly string[] | undefined;
  readonly identityProviders: readonly IdentityProvider[];
}

/** A problem that keeps the product from starting and that an operator can fix; the message says what is wrong and what to do. */
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
      // An empty variable usually counts as missing; only here does it have a meaning.
      .filter(
        ([name, value]) => value !== undefined && (value !== '' || name === 'DEFAULT_ACCOUNT'),
      ),
  );
  const production = given.NODE_ENV === 'production';
  const parsed = Environment.safeParse({ ...(production && productionDefaults), ...given });
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      const value = confidential.has(name) ? '' : ` is ${JSON.stringify(given[name])}, but`;
      return `${name}${value} ${message}.`;
    });
    throw new ConfigError(
      `These settings cannot be used. Correct them and start again.\n  ${wrong.join('\n  ')}`,
    );
  }
  const values = parsed.data;
  if (production && values.CAPTCHA === 'off') {
    throw new ConfigError(
      'CAPTCHA=off is for tests and local runs. In production set CAPTCHA=altcha or CAPTCHA=recaptcha.',
    );
  }
  if (production && values.BEACON_DEMO) {
    throw new ConfigError(
      'BEACON_DEMO=1 loads invented counties, whose voters anybody can sign in as. In production leave it unset.',
    );
  }
  const plain = production ? values.OFFICE_PROVIDERS?.find(isPlainHttp) : undefined;
  if (plain) {
    throw new ConfigError(
      `OFFICE_PROVIDERS names ${plain.issuer}, a provider for trying out: anybody can sign in there as anybody. In production a provider has an https address.`,
    );
  }
  return Object.freeze({
    production,
    port: values.PORT,
    healthPort: values.HEALTH_PORT,
    workerPort: values.WORKER_PORT,
    host: values.HOST,
    dataDirectory: resolve(values.BEACON_DATA),
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databaseApiUrl: values.DATABASE_API_URL,
    databaseWorkerUrl: values.DATABASE_WORKER_URL,
    databaseIntakeUrl: values.DATABASE_INTAKE_URL,
    databaseOfficeUrl: values.DATABASE_OFFICE_URL,
    databaseConnections: values.DATABASE_CONNECTIONS,
    baseDomain: values.BASE_DOMAIN,
    defaultAccount: values.DEFAULT_ACCOUNT || undefined,
    demo: values.BEACON_DEMO,
    captcha: values.CAPTCHA,
    locatorUrl: values.LOCATOR_URL,
    availabilityUrl: values.AVAILABILITY_URL,
    supportPhone: values.SUPPORT_PHONE,
    supportEmail: values.SUPPORT_EMAIL,
    securityContact: values.SECURITY_CONTACT,
    languageCookieDomain: values.LANGUAGE_COOKIE_DOMAIN,
    publicUrl: values.PUBLIC_URL === undefined ? undefined : new URL(values.PUBLIC_URL),
    trustProxy: values.TRUST_PROXY,
    metricsToken: values.METRICS_TOKEN,
    siteLimits: siteLimitsOf(values),
    pgBin: values.PG_BIN,
    timeServer: values.TIME_SERVER,
    backupStamp: values.BACKUP_STAMP,
    logLevel: values.LOG_LEVEL,
    apiDocs: values.API_DOCS,
    traces:
      values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : {
            endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
            ratio: values.OTEL_TRACES_SAMPLER_ARG,
          },
    secrets: values.BEACON_SECRETS,
    tokenKeys: values.BEACON_TOKEN_KEYS,
    fileKeys: values.BEACON_FILE_KEYS,
    identityProviders: values.OFFICE_PROVIDERS ?? [],
  });
}

/** Reads NAME, or the content of the file that NAME_FILE names; without what stands around it, as the line ends of Windows. */
export function readVariable(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = environment[`${name}_FILE`]?.trim();
  if (!file) return environment[name]?.trim();
  if (environment[name]) {
    throw new ConfigError(`${name} and ${name}_FILE are both set. Remove one of them.`);
  }
  try {
    return decodeSetting(name, readFileSync(file)).trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = `cannot be read (${code}). Give the path of a file that this user may read`;
    throw new ConfigError(`${name}_FILE names ${file}, which ${code ? why : message}.`);
  }
}
