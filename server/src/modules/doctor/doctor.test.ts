// Longer than 400 lines: every test changes one thing of the same good installation.
import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { addOffice, addVoter } from '../../../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { startDnsServer, type TestDnsServer } from '../../../../testing/dns-server.ts';
import { sql } from '../../../../testing/sql.ts';
import { startTimeServer, type TestTimeServer } from '../../../../testing/time-server.ts';
import { testTokenKey } from '../../../../testing/token-keys.ts';
import { readConfig } from '../../platform/config.ts';
import type { AccountId } from '../../platform/ids.ts';
import { createLogins } from '../../platform/logins.ts';
import { type Database, openDatabase } from '../../platform/postgres.ts';
import { readChannelSettings } from '../notifications/index.ts';
import { createFileKeys } from '../uploads/index.ts';
import { askClockOffset, type Examination, examineInstallation } from './index.ts';
import { checkCertificate } from './tls.ts';

/** A production installation in which everything is as it should be, over real servers on loopback. */

let test_: TestDatabase;
let database: Database;
let dns: TestDnsServer;
let time: TestTimeServer;
let site: Server;
let folder: string;
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const dkimKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const published = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
let good: Examination;
const goodEnvironment = (): Record<string, string> => ({
  NODE_ENV: 'production',
  PUBLIC_URL: `https://localhost:${(site.address() as AddressInfo).port}`,
  BEACON_SECRETS: 's'.repeat(32),
  BEACON_DATA: folder,
  TRUST_PROXY: 'loopback',
  SUPPORT_PHONE: '+12025550123',
  SUPPORT_EMAIL: 'help@example.gov',
  SECURITY_CONTACT: 'mailto:security@example.gov',
});
const goodProviders: Record<string, string> = {
  SMTP_URL: 'smtps://mail.example.gov',
  MAIL_DOMAIN: 'vote.example.gov',
  DKIM_DOMAIN: 'vote.example.gov',
  DKIM_SELECTOR: 'one',
  DKIM_PRIVATE_KEY: dkimKey,
  SMS_PROVIDER: 'none',
  VOICE_PROVIDER: 'none',
};
const cli = fileURLToPath(new URL('../../cli.ts', import.meta.url));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beacon-doctor-'));
  [test_, dns, time] = await Promise.all([
    createTestDatabase(),
    startDnsServer(),
    startTimeServer(),
  ]);
  database = openDatabase(test_.url, { connections: 2, ...(await createLogins(test_.url)) });
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const offices = ['adams', 'rights', 'lake', 'busy', 'uploads', 'tokens'];
  const hosts = ['localhost', ...offices.map((office) => `${office}.localhost`)];
  const made = spawnSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=localhost'],
      ...[
        '-addext',
        `subjectAltName=${hosts.map((host) => `DNS:${host}`).join()}`,
        '-keyout',
        key,
        '-out',
        certificate,
      ],
    ],
    { encoding: 'utf8' },
  );
  expect(made.status, made.stderr).toBe(0);
  site = createServer({ key: readFileSync(key), cert: readFileSync(certificate) });
  site.listen(0, 'localhost');
  await once(site, 'listening');
  const stamp = join(folder, 'backup-succeeded');
  writeFileSync(stamp, '');
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  resolver.setServers([dns.address]);
  good = {
    config: readConfig(goodEnvironment()),
    channels: readChannelSettings((name) => goodProviders[name]),
    database,
    resolver,
    askClockOffset: () => askClockOffset('127.0.0.1', time.port),
    now: new Date(),
    authorities: readFileSync(certificate, 'utf8'),
    backupStamp: stamp,
  };
});
afterAll(async () => {
  await new Promise((resolve) => site.close(resolve));
  await Promise.all([dns.close(), time.close(), database.close()]);
  await test_.drop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  time.aheadMs = 0;
  time.isOfAnother = false;
  dns.records.clear();
  // A record is strings of 255 letters at most: here the second begins within "-all".
  const spf = `${'v=spf1 include:mail.example.gov'.padEnd(253)}-all`;
  dns.records.set('vote.example.gov', [spf, 'other=1']);
  dns.records.set('one._domainkey.vote.example.gov', [`v=DKIM1; k=rsa; p=${published}`]);
  dns.records.set('_dmarc.example.gov', ['v=DMARC1; p=reject']);
});

/** As an operator sets them, beside those of the good installation. */
const findWithSettings = (
  environment: Record<string, string>,
  providers: Record<string, string>,
): Promise<string[]> =>
  find({
    config: readConfig({ ...goodEnvironment(), ...environment }),
    channels: readChannelSettings(
      (name) =>
        ({
          ...goodProviders,
          ...(providers.SMS_HTTP_URL && { SMS_HTTP_TOKEN: 's'.repeat(16) }),
          ...providers,
        })[name],
    ),
  });

const find = async (changed: Partial<Examination> = {}) =>
  (await examineInstallation({ ...good, now: new Date(), ...changed })).map(({ id }) => id);

test('finds nothing where everything is as it should be', async () => {
  expect(await examineInstallation({ ...good, now: new Date() })).toEqual([]);
});

test('looks at the domain that mail comes from where none is set, as in a cell with an address of its own', async () => {
  // Mail comes from the host of PUBLIC_URL, which has no record here.
  const found = await findWithSettings({ BASE_DOMAIN: 'vote.example.gov' }, { MAIL_DOMAIN: '' });
  expect(found).toEqual(['dns.spf', 'dns.dmarc']);
});

/** Runs the command as an operator of the good installation does, with these settings changed. */
async function runDoctor(changed: Record<string, string> = {}): Promise<[string, number]> {
  const { backupStamp } = good;
  const { apiUrl, workerUrl, intakeUrl, officeUrl } = database;
  const child = spawn(process.execPath, [cli, 'doctor'], {
    env: {
      PATH: process.env.PATH,
      ...goodEnvironment(),
      EMAIL_PROVIDER: 'none',
      SMS_PROVIDER: 'none',
      VOICE_PROVIDER: 'none',
      DATABASE_API_URL: apiUrl,
      DATABASE_WORKER_URL: workerUrl,
      DATABASE_INTAKE_URL: intakeUrl,
      DATABASE_OFFICE_URL: officeUrl,
      TIME_SERVER: `127.0.0.1:${time.port}`,
      BACKUP_STAMP: backupStamp,
      NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem'),
      ...changed,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  return [output, code];
}

test('the command says so and ends with 0, by the login for offices', async () => {
  expect(await runDoctor()).toEqual(['Nothing unsafe was found.\n', 0]);
});

test('the command ends with 1 where a single thing is unsafe', async () => {
  const [output, code] = await runDoctor({ BACKUP_STAMP: join(folder, 'never') });
  expect(output).toContain('\n1 unsafe: see above.');
  expect(output).toContain('(backup.age)');
  expect(code).toBe(1);
});

test.each([
  ['dns.spf', 'vote.example.gov', []],
  ['dns.spf', 'vote.example.gov', ['v=spf1 +all']],
  ['dns.spf', 'vote.example.gov', ['v=spf1 -all', 'v=spf1 -all']],
  ['dns.dkim', 'one._domainkey.vote.example.gov', []],
  ['dns.dkim', 'one._domainkey.vote.example.gov', ['v=DKIM1; p=']],
  ['dns.dkim', 'one._domainkey.vote.example.gov', ['v=DKIM1; p=MIIBIjANBgkq']],
  ['dns.dmarc', '_dmarc.example.gov', []],
  ['dns.dmarc', '_dmarc.example.gov', ['v=DMARC1; p=none']],
  ['dns.dmarc', '_dmarc.example.gov', ['v=DMARC1; p=reject; sp=none']],
  ['dns.dmarc', '_dmarc.vote.example.gov', ['v=DMARC1; p=none']],
  ['dns.dmarc', '_dmarc.vote.example.gov', ['v=DMARC1; p=none; sp=reject']],
])('finds %s when %s has %j, and nothing else', async (id, name, texts) => {
  dns.records.set(name, texts);
  if (texts.length === 0) dns.records.delete(name);
  expect(await find()).toEqual([id]);
});

test('finds a clock that is off, and a clock that nobody can check', async () => {
  time.aheadMs = -5_000;
  expect(await find()).toEqual(['time.clock']);
  // What answers no question of ours says nothing.
  time.aheadMs = 0;
  time.isOfAnother = true;
  expect(await askClockOffset('127.0.0.1', time.port)).toBeUndefined();
  expect(await find({ askClockOffset: async () => undefined })).toEqual(['time.clock']);
});

test.each([
  [-2_001, ['time.clock']],
  [-2_000, []],
  [2_000, []],
  [2_001, ['time.clock']],
])('a clock that is off by %i ms is found: %j', async (offset, found) => {
  expect(await find({ askClockOffset: async () => offset })).toEqual(found);
});

test.each([
  [26 * 3_600_000 - 1, []],
  [26 * 3_600_000, ['backup.age']],
])('a backup of %i ms ago is found: %j', async (age, found) => {
  const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  const { backupStamp = '' } = good;
  const at = (now.getTime() - age) / 1_000;
  utimesSync(backupStamp, at, at);
  try {
    expect(await find({ now })).toEqual(found);
  } finally {
    utimesSync(backupStamp, new Date(), new Date());
  }
});

test.each([
  [14, []],
  [13, ['tls.certificate']],
])('a certificate that ends in %i days is found: %j', async (days, found) => {
  const { validTo } = new X509Certificate(good.authorities ?? '');
  const checked = await checkCertificate(
    good.config.publicUrl as URL,
    'localhost',
    new Date(Date.parse(validTo) - days * 86_400_000),
    good.authorities,
  );
  expect(checked ? [checked.id] : []).toEqual(found);
});

test('finds a backup that is late, and a backup of which nothing shows', async () => {
  const { backupStamp = '' } = good;
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  utimesSync(backupStamp, twoDaysAgo, twoDaysAgo);
  expect(await find()).toEqual(['backup.age']);
  utimesSync(backupStamp, new Date(), new Date());
  expect(await find({ backupStamp: undefined })).toEqual(['backup.age']);
});

test('finds a certificate that is good for the site’s own address, and not for that of an office', async () => {
  const add = (subdomain: string) =>
    sql`insert into accounts (subdomain, name, county, state, time_zone, settings)
      values (${subdomain}, 'Test Elections', 'Test', 'FL', 'America/New_York', '{}')`.execute(
      database.system,
    );
  await add('adams');
  expect(await find()).toEqual([]);
  await add('baker');
  expect(await examineInstallation({ ...good, now: new Date() })).toMatchObject([
    { id: 'tls.certificate', problem: expect.stringContaining('baker.localhost') },
  ]);
  await sql`delete from accounts where subdomain in ('adams', 'baker')`.execute(database.system);
});

test('finds a certificate that browsers refuse, and a certificate that ends soon', async () => {
  expect(await find({ authorities: undefined })).toEqual(['tls.certificate']);
  const soon = new Date(Date.now() + 20 * 86_400_000);
  expect(await find({ now: soon })).toContain('tls.certificate');
});

test('finds logins of the API, of the worker and of the command line that are the owner’s, another’s, or do not work', async () => {
  const { apiUrl, workerUrl, intakeUrl, officeUrl } = database;
  const right = { apiUrl, workerUrl, intakeUrl, officeUrl };
  const findWith = async (urls: Partial<typeof right>) => {
    const other = openDatabase(test_.url, { connections: 2, ...right, ...urls });
    return find({ database: other }).finally(() => other.close());
  };
  for (const [setting, id] of [
    ['apiUrl', 'database.api-login'],
    ['workerUrl', 'database.worker-login'],
    ['intakeUrl', 'database.intake-login'],
    ['officeUrl', 'database.office-login'],
  ] as const) {
    expect(await findWith({ [setting]: test_.url })).toEqual([id]);
    expect(await findWith({ [setting]: setting === 'apiUrl' ? officeUrl : apiUrl })).toEqual([id]);
    const gone = right[setting].replace(/beacon_\w+_login/, 'nobody');
    expect(await findWith({ [setting]: gone })).toEqual([id]);
  }
  // The first's own rights are few, and it may become the owner. The second's are those of two. The third's are of all offices.
  const asOwner = (
    await sql<{ owner: string }>`
    select tableowner as owner from pg_tables where tablename = 'accounts'`.execute(database.system)
  ).rows[0]?.owner;
  for (const more of [
    `in role beacon_api, ${asOwner}`,
    'in role beacon_api, beacon_worker',
    'bypassrls in role beacon_api',
  ]) {
    await sql.raw(`create role doctor_login login ${more}`).execute(database.system);
    try {
      const apiUrl_ = apiUrl.replace(/beacon_\w+_login/, 'doctor_login');
      expect(await findWith({ apiUrl: apiUrl_ }), more).toEqual(['database.api-login']);
    } finally {
      await sql.raw('drop role doctor_login').execute(database.system);
    }
  }
});

test('the login for voters’ requests sees no row by leaving its role, and cannot become the owner', async () => {
  const api = database.forAccount(999_999 as AccountId);
  await sql`insert into accounts (subdomain, name, county, state, time_zone, settings)
    values ('rights', 'Rights', 'Rights', 'FL', 'America/New_York', '{}')`.execute(database.system);
  const { rows } = await api.connection().execute(async (db) => {
    await sql`begin`.execute(db);
    await sql`reset role`.execute(db);
    const seen = await sql`select * from accounts where subdomain = 'rights'`.execute(db);
    await sql`rollback`.execute(db);
    return seen;
  });
  expect(rows).toEqual([]);
  for (const role of ['beacon', 'postgres'])
    await expect(sql.raw(`set role ${role}`).execute(api)).rejects.toThrow(
      /permission denied|does not exist/,
    );
  await sql`delete from accounts where subdomain = 'rights'`.execute(database.system);
});

test('finds the demo counties, every setting that is missing, and a database that is away', async () => {
  const config = readConfig({ NODE_ENV: 'production', BEACON_DATA: folder });
  const channels = readChannelSettings(() => undefined);
  expect(await find({ config, channels, database: undefined })).toEqual([
    'settings.public-url',
    'settings.secrets',
    'settings.email-provider',
    'settings.sms-provider',
    'settings.voice-provider',
    'settings.trust-proxy',
    'settings.support-phone',
    'settings.support-email',
    'settings.security-contact',
    'database.ready',
  ]);
  await sql`insert into accounts (subdomain, name, county, state, time_zone, settings)
    values ('lake', 'Silver Lake County Elections Office', 'Silver Lake', 'FL', 'America/New_York', '{}')`.execute(
    database.system,
  );
  expect(await find()).toEqual(['database.demo']);
  await sql`delete from accounts where subdomain = 'lake'`.execute(database.system);
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['settings.log-level', { LOG_LEVEL: 'error' }, {}],
  ['settings.shared-secret', { BEACON_FILE_KEYS: 's'.repeat(32) }, {}],
  ['settings.shared-secret', { BEACON_TOKEN_KEYS: `${'t'.repeat(32)},${'s'.repeat(32)}` }, {}],
  ['settings.smtp-tls', {}, { SMTP_URL: 'smtp://user:password@mail.example.gov:587' }],
  ['settings.smtp-tls', {}, { SMTP_URL: 'smtp://mail.example.gov?requireTLS=false' }],
  ['settings.smtp-tls', {}, { SMTP_URL: 'smtp://mail.example.gov?requireTLS=true&ignoreTLS=true' }],
  ['settings.smtp-tls', {}, { SMTP_URL: 'smtps://mail.example.gov?tls.rejectUnauthorized=false' }],
  ['settings.smtp-tls', {}, { SMTP_URL: 'smtps://mail.example.gov?tls.rejectUnauthorized=0' }],
  ['settings.sms-tls', {}, { SMS_HTTP_URL: 'http://sms.example.gov/send' }],
  ['settings.sms-tls', {}, { TWILIO_API_URL: 'http://twilio.example.gov' }],
])('finds %s with %j and %j, and nothing else', async (id, environment, providers) => {
  expect(await findWithSettings(environment, providers)).toEqual([id]);
});

test.each<[Record<string, string>, Record<string, string>]>([
  [{ LOG_LEVEL: 'warn' }, {}],
  [{ BEACON_FILE_KEYS: 'f'.repeat(32), BEACON_TOKEN_KEYS: 't'.repeat(32) }, {}],
  [{}, { SMTP_URL: 'smtp://mail.example.gov:587/?requireTLS=true' }],
  [{}, { SMTP_URL: 'smtps://mail.example.gov?tls.rejectUnauthorized=true&pool=true' }],
  [{}, { SMTP_URL: 'smtp://127.0.0.1:25' }],
  [{}, { SMS_HTTP_URL: 'https://sms.example.gov/send' }],
])('finds nothing with %j and %j', async (environment, providers) => {
  expect(await findWithSettings(environment, providers)).toEqual([]);
});

test('finds that no certificate is checked, of any server or of the database', async () => {
  expect(await find({ acceptsAnyCertificate: true })).toEqual(['tls.checks']);
  const findWithApi = (apiUrl: string) =>
    find({ database: Object.assign(Object.create(database), { apiUrl }) });
  const address = 'postgres://api:secret@db.invalid/beacon?sslmode=';
  for (const mode of ['no-verify', 'require&uselibpqcompat=true'])
    expect(await findWithApi(address + mode)).toEqual(['database.api-login', 'database.tls']);
  expect(await findWithApi(`${address}verify-full`)).toEqual(['database.api-login']);
});

test('finds requests that wait above an office’s limit, and attacks of the last day', async () => {
  // Nothing removes what is in the audit log.
  const own = await createTestDatabase();
  const busy = openDatabase(own.url, { connections: 2, ...(await createLogins(own.url)) });
  onTestFinished(() => busy.close().then(own.drop));
  await sql`insert into accounts (subdomain, name, county, state, time_zone, settings)
    values ('busy', 'Busy', 'Busy', 'FL', 'America/New_York', '{}')`.execute(busy.system);
  await sql`insert into messages (account_id, kind, channel, address, language, cause, deliver_after, state, error_code)
    select account_id, 'opt-in', 'sms', '+13525550100', 'english', 'save:1', now(), 'held', 'daily-limit'
    from accounts where subdomain = 'busy'`.execute(busy.system);
  const [finding, ...more] = await examineInstallation({
    ...good,
    database: busy,
    now: new Date(),
  });
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ id: 'attack.sending-stopped' });
  expect(finding?.problem).toContain('busy');
  expect(finding?.fix).toContain('beacon sending show --account busy');
  await sql`delete from messages`.execute(busy.system);
  await sql`insert into audit_log (account_id, at, actor, action)
    select account_id, now() - age * interval '1 hour', 'network:x', action from accounts,
      (values (30, 'security.spraying'), (2, 'security.preferences-changed-in-mass')) as old (age, action)
    where subdomain = 'busy'`.execute(busy.system);
  expect(await find({ database: busy })).toEqual(['attack.preferences-changed-in-mass']);
  expect(await find({ database: busy, now: new Date(Date.now() - 10 * 3_600_000) })).toContain(
    'attack.spraying',
  );
});

test('finds uploaded files whose key is not set, and only while they are kept', async () => {
  const findUploads = async (environment: Record<string, string>) =>
    (await findWithSettings(environment, {})).filter((id) => id.startsWith('uploads.'));
  const office = await addOffice(test_, { subdomain: 'uploads' });
  const { keyId, salt } = createFileKeys(['f'.repeat(32)]).create();
  await test_.database.systemPool.query(
    `insert into uploads (account_id, uploaded_by, file_name, size, piece_size, salt, key_id, created_at, updated_at)
     values ($1, 'person:1', 'roll.csv', 1, 1, $2, $3, now(), now())`,
    [office, salt, keyId],
  );
  const other = { BEACON_FILE_KEYS: 'o'.repeat(32) };
  expect(await findUploads({})).toEqual(['uploads.key']);
  expect(await findUploads(other)).toEqual(['uploads.key']);
  const both = { BEACON_FILE_KEYS: `${'o'.repeat(32)},${'f'.repeat(32)}` };
  expect(await findUploads(both)).toEqual([]);
  // A deleted one waits for its erasure, and nobody opens it.
  await test_.database.systemPool.query(`update uploads set state = 'deleted'`);
  expect(await findUploads(other)).toEqual([]);
  await test_.database.systemPool.query(`update uploads set state = 'ready'`);
  await test_.database.systemPool.query(`update uploads set erased_at = now()`);
  expect(await findUploads(other)).toEqual([]);
  await test_.database.systemPool.query('delete from uploads');
});

test('finds tokens whose key is not set, and tokens stored as earlier versions did', async () => {
  const findTokens = async (changed: Partial<Examination> = {}) =>
    (await find(changed)).filter((id) => id.startsWith('tokens.'));
  const office = await addOffice(test_, { subdomain: 'tokens' });
  await addVoter(test_, office, { token: 'K7QM-3XPD' });
  expect(await findTokens()).toEqual(['tokens.key']);
  expect(await findTokens({ config: { ...good.config, tokenKeys: [testTokenKey] } })).toEqual([]);
  await test_.database.systemPool.query(
    `update voters set token_hash = 'scrypt$4096$8$1$c2FsdA$aGFzaA'`,
  );
  expect(await findTokens()).toEqual(['tokens.former-hash']);
  await test_.database.systemPool.query('delete from voters');
});
