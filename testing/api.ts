import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { CompiledQuery, sql } from 'kysely';
import { createApi } from '../server/src/api.ts';
import { applyAccountFile } from '../server/src/modules/accounts/index.ts';
import { readChannelSettings } from '../server/src/modules/notifications/index.ts';
import type { UploadWork } from '../server/src/modules/uploads/index.ts';
import { openBuiltPage } from '../server/src/modules/web-app/index.ts';
import { readConfig } from '../server/src/platform/config.ts';
import type { HttpLimits } from '../server/src/platform/http.ts';
import type { AccountId, BallotId, VoterId } from '../server/src/platform/ids.ts';
import { createLog } from '../server/src/platform/log.ts';
import { urlsOfLogins } from '../server/src/platform/logins.ts';
import { createMetrics } from '../server/src/platform/metrics.ts';
import { type Database, openDatabase } from '../server/src/platform/postgres.ts';
import { createSecrets } from '../server/src/platform/secrets.ts';
import { openApiDatabase } from './api-database.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { testFileKeys, testTokenKeys } from './token-keys.ts';

export interface TestApi {
  readonly app: FastifyInstance;
  readonly clock: TestClock;
  readonly test: TestDatabase;
  /** As the API has it. */
  readonly database: Database;
  keepHouse(): Promise<void>;
  /** Does what is due with uploaded files when a test says so. */
  readonly uploads: UploadWork | undefined;
  /** Every line the server logged. */
  readonly logLines: string[];
  /** Rows as the owner of the database sees them. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Rows as one office's connection sees them; undefined: one bound to no office. */
  queryAs<Row extends object>(accountId: number | undefined, text: string): Promise<Row[]>;
  /** A browser on this host: it keeps its cookies. */
  browser(host: string, headers?: Record<string, string>): TestBrowser;
  /** The test makes requests fail inside the server, with this in their log lines; others fail the test. */
  expectFailures(pattern: RegExp): void;
  /** Ends it; throws if a request failed inside the server, whatever was answered, and nobody expected it. */
  close(): Promise<void>;
}

export interface TestBrowser {
  readonly cookies: Map<string, string>;
  request(options: InjectOptions & { url: string }): Promise<LightMyRequestResponse>;
  get(url: string): Promise<LightMyRequestResponse>;
  post(url: string, payload: object): Promise<LightMyRequestResponse>;
  patch(url: string, payload: object): Promise<LightMyRequestResponse>;
  delete(url: string): Promise<LightMyRequestResponse>;
}

export interface TestApiOptions {
  readonly environment?: Record<string, string>;
  readonly secrets?: readonly string[];
  /** Settings of providers. */
  readonly channels?: Readonly<Record<string, string>>;
  readonly pageDirectory?: string;
  readonly limits?: Partial<HttpLimits>;
  readonly contentKeptMs?: number;
  readonly askRecaptcha?: (secret: string, response: string, address: string) => Promise<boolean>;
}

/** The API as it runs, over a database of its own and a clock that the test turns. */
export async function createTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const { pageDirectory } = options;
  const test = await createTestDatabase();
  const database = openApiDatabase(test.database);
  const officeDatabase = openDatabase(urlsOfLogins(test.url).officeUrl, {
    connections: 8,
    use: 'console',
    visitors: database,
    apiUrl: database.apiUrl,
  });
  const clock = createTestClock();
  const logLines: string[] = [];
  const expected: RegExp[] = [];
  const { app, keepHouse, uploads } = await createApi({
    config: readConfig({ CAPTCHA: 'off', DEFAULT_ACCOUNT: '', ...options.environment }),
    database,
    officeDatabase,
    log: createLog('debug', { write: (line: string) => void logLines.push(line) }),
    metrics: createMetrics(),
    secrets: createSecrets(options.secrets ?? ['a secret of the tests, long enough to be one']),
    tokenKeys: testTokenKeys,
    fileKeys: testFileKeys,
    clock,
    askRecaptcha: options.askRecaptcha ?? (async () => false),
    channels: readChannelSettings((name) => options.channels?.[name]),
    openPage: pageDirectory === undefined ? undefined : () => openBuiltPage(pageDirectory),
    // A machine that is busy with other tests is no reason to turn a visitor away.
    contentKeptMs: options.contentKeptMs ?? 0,
    limits: { eventLoopDelayMs: 0, voterWaitMs: 0, strangerWaitMs: 0, ...options.limits },
  });
  await app.ready();
  return {
    app,
    keepHouse,
    uploads,
    clock,
    test,
    database,
    logLines,
    async query<Row extends object>(text: string, values: readonly unknown[] = []) {
      return (await test.database.systemPool.query<Row>(text, [...values])).rows;
    },
    async queryAs<Row>(accountId: number | undefined, text: string) {
      const { database } = test;
      const db =
        accountId === undefined ? database.unscoped : database.forAccount(accountId as AccountId);
      return (await db.executeQuery<Row>(CompiledQuery.raw(text))).rows;
    },
    browser: (host, headers) => createTestBrowser(app, host, headers),
    expectFailures: (pattern) => void expected.push(pattern),
    async close() {
      await app.close();
      await Promise.all([database.close(), officeDatabase.close()]);
      await test.drop();
      const failed = logLines.filter((line) => line.includes('"event":"request.failed"'));
      const surprising = failed.filter((line) => !expected.some((pattern) => pattern.test(line)));
      if (surprising.length > 0) throw new Error(`Failed in the server: ${surprising.join('')}`);
    },
  };
}

function createTestBrowser(
  app: FastifyInstance,
  host: string,
  headers: Record<string, string> = {},
): TestBrowser {
  const cookies = new Map<string, string>();
  const request = async (options: InjectOptions & { url: string }) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await app.inject({
      ...options,
      headers: { host, ...(cookie && { cookie }), ...headers, ...options.headers },
    });
    for (const { name, value, maxAge, expires } of answer.cookies as {
      name: string;
      value: string;
      maxAge?: number;
      expires?: Date;
    }[]) {
      const isGone = maxAge === 0 || (expires !== undefined && expires.getTime() <= 0);
      if (isGone) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return {
    cookies,
    request,
    get: (url) => request({ url }),
    post: (url, payload) => request({ method: 'POST', url, payload }),
    patch: (url, payload) => request({ method: 'PATCH', url, payload }),
    delete: (url) => request({ method: 'DELETE', url }),
  };
}

/** Creates an election office from the settings of an account file; returns its number. */
export async function addOffice(
  { database }: Pick<TestDatabase, 'database'>,
  settings: { readonly subdomain: string } & Record<string, unknown>,
): Promise<AccountId> {
  const folder = mkdtempSync(path.join(tmpdir(), 'beacon-office-'));
  const file = path.join(folder, 'account.json');
  writeFileSync(
    file,
    JSON.stringify({
      name: 'Test County Elections',
      county: 'Test',
      state: 'FL',
      time_zone: 'America/New_York',
      languages: ['english', 'spanish'],
      ...settings,
    }),
  );
  const applied = await applyAccountFile(database, file);
  rmSync(folder, { recursive: true });
  if (!applied.ok) throw new Error(JSON.stringify(applied.problems));
  return applied.accountId;
}

export interface TestVoter {
  readonly registration_id?: string;
  readonly firstname?: string;
  readonly middlename?: string;
  readonly lastname?: string;
  readonly zipcode?: string;
  readonly birthdate?: string;
  readonly is_active?: boolean;
  readonly is_confidential?: boolean;
  readonly token?: string;
  readonly email?: string;
  readonly phone?: string;
}

let voterNumber = 0;

/** Puts a voter on an office's roll; returns the voter's number. */
export async function addVoter(
  { database }: Pick<TestDatabase, 'database'>,
  accountId: AccountId,
  voter: TestVoter = {},
): Promise<VoterId> {
  voterNumber += 1;
  const registrationId = voter.registration_id ?? `R${voterNumber}`;
  const owner = { account_id: accountId, registration_id: registrationId };
  const tokenHash = voter.token === undefined ? null : testTokenKeys.store(owner, voter.token).hash;
  const { rows } = await sql<{ voter_id: VoterId }>`
    insert into voters (account_id, registration_id, firstname, middlename, lastname, zipcode, birthdate,
      email, phone, is_active, is_confidential, token_hash, county, state)
    values (${accountId}, ${registrationId}, ${voter.firstname ?? 'Ann'},
      ${voter.middlename ?? ''}, ${voter.lastname ?? 'Rivera'}, ${voter.zipcode ?? '34811'},
      ${voter.birthdate ?? '1970-02-03'},
      ${voter.email ?? ''}, ${voter.phone ?? ''}, ${voter.is_active ?? true}, ${voter.is_confidential ?? false},
      ${tokenHash}, 'Test', 'FL')
    returning voter_id`.execute(database.system);
  const [row] = rows;
  if (!row) throw new Error('The test voter was not added.');
  return row.voter_id;
}

export interface TestEvent {
  readonly status: string | null;
  readonly kind?: 'office' | 'scan' | 'estimate';
  readonly on?: string;
  readonly at?: string;
  /** In the office's words. */
  readonly reason?: string;
}

/** Gives a voter a ballot in an election of this name, with what happened to it; returns the ballot's number. */
export async function addBallot(
  { database }: TestDatabase,
  accountId: AccountId,
  voterId: VoterId,
  ballot: {
    election?: string;
    isActive?: boolean;
    date?: string;
    number?: string;
    events: readonly TestEvent[];
  },
): Promise<BallotId> {
  const {
    election = 'General Election',
    isActive = true,
    date = '2026-11-24',
    number = '',
    events,
  } = ballot;
  const db = database.system;
  const { rows: elections } = await sql<{ election_id: number }>`
    insert into elections (account_id, number, name, election_date, is_active)
    values (${accountId}, ${election}, ${election}, ${date}, ${isActive})
    on conflict (account_id, number) do update set is_active = excluded.is_active
    returning election_id`.execute(db);
  const { rows: ballots } = await sql<{ ballot_id: BallotId }>`
    insert into ballots (account_id, voter_id, election_id, ballot_number)
    values (${accountId}, ${voterId}, ${elections[0]?.election_id}, ${number}) returning ballot_id`.execute(
    db,
  );
  const [added] = ballots;
  if (!added) throw new Error('The test ballot was not added.');
  const ballotId = added.ballot_id;
  for (const { status, kind = 'office', on, at, reason = '' } of events) {
    await sql`
      insert into ballot_events (account_id, ballot_id, kind, status, raw_status, occurred_on, occurred_at, reason)
      values (${accountId}, ${ballotId}, ${kind}, ${status}, ${status ?? '?'}, ${on ?? null}, ${at ?? null}, ${reason})`.execute(
      db,
    );
  }
  return ballotId;
}

/** What the test voter of {@link addVoter} types. */
export function typed(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    firstname: 'Ann',
    lastname: 'Rivera',
    zipcode: '34811',
    birthdate: '02-03-1970',
    recaptcha: 'off',
    ...more,
  };
}
