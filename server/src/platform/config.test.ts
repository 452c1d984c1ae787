import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { providerOf } from './identity-providers.ts';

test('without any setting the product starts as the README says', () => {
  expect(readConfig({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    dataDirectory: resolve('.beacon'),
    databaseUrl: undefined,
    baseDomain: 'localhost',
    defaultAccount: 'demo',
    demo: true,
    captcha: 'altcha',
    trustProxy: false,
  });
});

test('a variable left empty is one not given, but an empty default account means none', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', PUBLIC_URL: '' })).toMatchObject({
    port: 8080,
    databaseUrl: undefined,
    publicUrl: undefined,
  });
  expect(readConfig({ DEFAULT_ACCOUNT: '' }).defaultAccount).toBeUndefined();
});

test('what stands around a value, as the line ends of Windows in a file of settings, is no part of it', () => {
  const settings = { NODE_ENV: 'production', HOST: '0.0.0.0', TRUST_PROXY: 'loopback' };
  const given = { ...settings, LOG_LEVEL: 'warn', DATABASE_URL: 'postgresql://db/beacon' };
  const read = (after: string) =>
    readConfig(
      Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value + after])),
    );
  expect(read('').production).toBe(true);
  for (const after of ['\r', ' ', '\n']) expect(read(after)).toEqual(read(''));
});

test.each(['Production', 'prod', 'staging'])(
  'a mistyped NODE_ENV starts nothing, which would have what is for trying out: %s',
  (NODE_ENV) => {
    expect(() => readConfig({ NODE_ENV })).toThrow(
      `NODE_ENV is "${NODE_ENV}", but must be development or production or test.`,
    );
  },
);

test('a switch is on as 1 and as true', () => {
  const isOn = (BEACON_DEMO: string) => readConfig({ BEACON_DEMO }).demo;
  expect(['1', 'true', '0', 'false'].map(isOn)).toEqual([true, true, false, false]);
});

test('every unusable setting is named at once, with what it must be', () => {
  const wrong = () =>
    readConfig({
      PORT: '80a',
      CAPTCHA: 'none',
      BASE_DOMAIN: 'Localhost:8080',
      DEFAULT_ACCOUNT: 'not an account',
      LOCATOR_URL: 'ftp://example.com',
      TRUST_PROXY: 'everybody',
      BEACON_DEMO: 'yes',
    });
  expect(wrong).toThrow(ConfigError);
  expect(wrong).toThrow(/PORT is "80a", but must be a whole number from 0 to 65535\./);
  expect(wrong).toThrow(/CAPTCHA is "none", but must be altcha or recaptcha or off\./);
  for (const name of [
    'BASE_DOMAIN',
    'DEFAULT_ACCOUNT',
    'LOCATOR_URL',
    'TRUST_PROXY',
    'BEACON_DEMO',
  ]) {
    expect(wrong).toThrow(new RegExp(`${name} is "`));
  }
});

test('a refusal never repeats a password or a secret', () => {
  const urls = ['', '_DIRECT', '_API', '_WORKER', '_INTAKE', '_OFFICE'];
  for (const name of [
    ...urls.map((which) => `DATABASE${which}_URL`),
    ...['BEACON_SECRETS', 'BEACON_TOKEN_KEYS', 'BEACON_FILE_KEYS'],
    ...['OFFICE_PROVIDERS', 'METRICS_TOKEN'],
  ]) {
    const wrong = () => readConfig({ [name]: 'my:hunter2' });
    expect(wrong).toThrow(
      new RegExp(`${name} (must look like postgresql:|needs at least|must be a JSON list)`),
    );
    expect(wrong).not.toThrow(/hunter2/);
  }
});

test('the CAPTCHA cannot be switched off in production', () => {
  expect(readConfig({ CAPTCHA: 'off' }).captcha).toBe('off');
  expect(() => readConfig({ CAPTCHA: 'off', NODE_ENV: 'production' })).toThrow(
    /In production set CAPTCHA=altcha/,
  );
});

test('production has nothing of the demo, unless somebody asks for it, and then refuses', () => {
  const NODE_ENV = 'production';
  expect(readConfig({ NODE_ENV })).toMatchObject({ demo: false, apiDocs: false });
  expect(readConfig({ NODE_ENV }).defaultAccount).toBeUndefined();
  expect(readConfig({ NODE_ENV, API_DOCS: '1', DEFAULT_ACCOUNT: 'adams' })).toMatchObject({
    ...{ apiDocs: true, defaultAccount: 'adams' },
  });
  expect(() => readConfig({ NODE_ENV, BEACON_DEMO: '1' })).toThrow(
    /BEACON_DEMO=1 loads invented counties/,
  );
});

test.each([
  ['SUPPORT_PHONE', ['+18005550199'], ['+180055501990', '+1800555019', '8005550199']],
  ['SUPPORT_EMAIL', ['help@example.gov'], ['help', 'help @example.gov', 'a@b@c']],
  ['METRICS_TOKEN', ['m'.repeat(16)], ['m'.repeat(15), `${'m'.repeat(16)} m`]],
  ['BEACON_SECRETS', ['s'.repeat(32)], ['s'.repeat(31), `${'s'.repeat(32)},${'s'.repeat(31)}`]],
  ['LANGUAGE_COOKIE_DOMAIN', ['vote.example.gov', 'example.gov'], ['gov', '.example.gov']],
  [
    'SECURITY_CONTACT',
    ['mailto:security@example.gov', 'tel:+18005550199', 'https://example.gov/report'],
    ['http://example.gov/report', 'security@example.gov'],
  ],
  ['OTEL_TRACES_SAMPLER_ARG', ['0', '0.25', '1'], ['1.1', '-0.1', 'all']],
  ['DATABASE_CONNECTIONS', ['2', '500'], ['1', '501', '2.5']],
  ['TRUST_PROXY', ['10.0.0.0/8', 'fd00::/16'], ['10.0.0.0/7', 'fd00::/15']],
  [
    'DATABASE_URL',
    [
      ...['postgresql://a:b%23c@db.example.gov:5432/n?sslmode=verify-full', 'postgres://a@[::1]/n'],
      ...['postgresql://a@/n?host=/run/postgresql', 'postgresql:///n?host=/run/postgresql'],
      ...['postgresql://a:b@one:5432,two:5432/n', 'postgresql://a@/n?host=one,two&port=1,2'],
    ],
    ['#', '/', '?'].map((one) => `postgresql://a:b${one}c@db.example.gov:5432/n`),
  ],
])('%s is taken within what it must be, and refused beyond', (name, right, wrong) => {
  for (const value of right) expect(() => readConfig({ [name]: value }), value).not.toThrow();
  for (const value of wrong)
    expect(() => readConfig({ [name]: value }), value).toThrow(new RegExp(`^.*\\n  ${name} `));
});

test('the limits of the mail relay are each their own', () => {
  const limits = readConfig({ EMAIL_PER_SECOND: '14', EMAIL_PER_DAY: '50000' }).siteLimits;
  expect(limits).toEqual({ emailPerSecond: 14, emailPerDay: 50_000, visitsPerSecond: 200 });
});

test('secrets come from files as well, two at once, newest first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'beacon-config-'));
  try {
    const file = join(folder, 'secrets');
    const [newer, older] = ['n'.repeat(32), 'o'.repeat(32)];
    writeFileSync(file, `${newer},${older}\n`);
    expect(readConfig({ BEACON_SECRETS_FILE: file }).secrets).toEqual([newer, older]);
    expect(readConfig({ METRICS_TOKEN_FILE: file }).metricsToken).toBe(`${newer},${older}`);
    expect(() => readConfig({ BEACON_SECRETS_FILE: file, BEACON_SECRETS: newer })).toThrow(
      /both set/,
    );
    expect(() => readConfig({ BEACON_SECRETS_FILE: join(folder, 'none') })).toThrow(
      /BEACON_SECRETS_FILE names .*none, which cannot be read \(ENOENT\)/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a setting from a file in another encoding is refused, and keys are read as they always were', () => {
  const folder = mkdtempSync(join(tmpdir(), 'beacon-config-'));
  try {
    const file = join(folder, 'setting');
    const list = JSON.stringify([
      {
        ...{ name: 'Doña Ana County', issuer: 'https://login.example.gov', client_id: 'console' },
        groups: [{ group: 'Señores', roles: ['clerk'] }],
      },
    ]);
    const utf16 = Buffer.from(`\uFEFF${list}`, 'utf16le');
    for (const content of [Buffer.from(list, 'latin1'), utf16]) {
      writeFileSync(file, content);
      expect(() => readConfig({ OFFICE_PROVIDERS_FILE: file })).toThrow(
        new ConfigError(
          `OFFICE_PROVIDERS_FILE names ${file}, which is not text in UTF-8. Save it as UTF-8 and try again.`,
        ),
      );
    }
    // As Windows writes it.
    writeFileSync(file, `\uFEFF${list}\r\n`);
    const { identityProviders } = readConfig({ OFFICE_PROVIDERS_FILE: file });
    expect(identityProviders[0]?.groups).toEqual([{ group: 'Señores', roles: ['clerk'] }]);
    writeFileSync(file, Buffer.from('ñ'.repeat(32), 'latin1'));
    expect(readConfig({ BEACON_SECRETS_FILE: file }).secrets).toEqual(['\uFFFD'.repeat(32)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('only proxies with a listed address are believed', () => {
  const proxies = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }).trustProxy;
  expect(proxies('0')).toBe(false);
  expect(proxies('10.0.0.0/8, loopback, ::1')).toBe('10.0.0.0/8, loopback, ::1');
  expect(proxies('2001:db8::/32')).toBe('2001:db8::/32');
  const everybody = ['1', 'true', '*', '10.0.0.0/all', '0.0.0.0/0', '0.0.0.0/1, 128.0.0.0/1'];
  const wrong = ['::/0', '2000::/3', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129'];
  for (const refused of [...everybody, ...wrong]) {
    expect(() => proxies(refused)).toThrow(/TRUST_PROXY is ".*", but must be 0, or your proxies/);
  }
});

test('identity providers are read from JSON, and what is wrong is named without what is secret', () => {
  const provider = {
    name: 'County directory',
    issuer: 'https://login.example.gov/county',
    client_id: 'console',
    client_secret: 'hunter2-hunter2',
    groups: [{ group: 'clerks', roles: ['clerk'] }],
  };
  const read = (changes: object, environment: object = {}) => {
    const list = JSON.stringify([{ ...provider, ...changes }]);
    return readConfig({ OFFICE_PROVIDERS: list, ...environment }).identityProviders;
  };
  expect(read({})).toEqual([{ ...provider, scope: 'openid profile', groups_claim: 'groups' }]);
  expect(readConfig({}).identityProviders).toEqual([]);
  const wrong = () => read({ issuer: 'http://login.example.gov', groups: [{ group: 'x' }] });
  expect(wrong).toThrow(/OFFICE_PROVIDERS is not right.*0\.issuer: must be an https address/);
  expect(wrong).toThrow(/0\.groups\.0\.roles/);
  expect(wrong).not.toThrow(/hunter2/);
  for (const end of ['?county=adams', '#adams', '|adams'])
    expect(() => read({ issuer: `https://login.example.gov/${end}` }), end).toThrow(/0\.issuer/);
  expect(() => readConfig({ OFFICE_PROVIDERS: '{' })).toThrow(/must be a JSON list/);
  expect(() => readConfig({ OFFICE_PROVIDERS: '[\n{' })).toThrow(/not valid JSON: line 2\./);
  // Of two lists of groups the later one alone would count.
  const twice = JSON.stringify([provider]).replace('"groups"', '"groups": [], "groups"');
  expect(() => readConfig({ OFFICE_PROVIDERS: twice })).toThrow(/has "0\.groups" twice.*line 1/);
});

test('an account has the provider that names it, or else the one for all, whichever comes first', () => {
  const groups = [{ group: 'clerks', roles: ['clerk'] }];
  const provider = (name: string, accounts?: readonly string[]) => ({
    ...{ name, issuer: `https://${name}.example.gov`, client_id: 'console', groups, accounts },
  });
  const list = [provider('all'), provider('adams', ['adams'])];
  for (const one of [list, list.toReversed()]) {
    const { identityProviders } = readConfig({ OFFICE_PROVIDERS: JSON.stringify(one) });
    const nameOf = (subdomain: string) => providerOf(identityProviders, subdomain)?.name;
    expect([nameOf('adams'), nameOf('lake')]).toEqual(['adams', 'all']);
  }
});

test('production refuses a provider for trying out', () => {
  const issuer = 'http://localhost:4000';
  const groups = [{ group: 'clerks', roles: ['clerk'] }];
  const list = JSON.stringify([{ name: 'Local', issuer, client_id: 'console', groups }]);
  expect(readConfig({ OFFICE_PROVIDERS: list }).identityProviders).toHaveLength(1);
  expect(() => readConfig({ OFFICE_PROVIDERS: list, NODE_ENV: 'production' })).toThrow(
    /OFFICE_PROVIDERS names http:\/\/localhost:4000, a provider for trying out/,
  );
});
