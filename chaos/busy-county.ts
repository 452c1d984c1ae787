import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AccountId } from '../server/src/platform/ids.ts';
import type { Database } from '../server/src/platform/postgres.ts';
import { findFreePort } from '../testing/ports.ts';
import { sql } from '../testing/sql.ts';
import { keepImporting, seedCounty } from './county.ts';
import { createPostOffice, type ScansReport } from './post-office.ts';
import { createProviderStubs, type ProviderStubs, smsToken } from './providers.ts';
import { createRandom } from './random.ts';
import { createReminders, type RemindersReport } from './reminders.ts';
import { compare, type MessagesReport, settle } from './report.ts';

/** A process of the site. */
export type Part = 'worker' | 'server';

export interface BusyCounty {
  readonly accountId: AccountId;
  readonly apiUrl: string;
  readonly providers: ProviderStubs;
  /** With SIGKILL; its supervisor starts it again. */
  kill(part: Part): void;
}

export interface CountyReport extends MessagesReport {
  readonly post: ScansReport;
  readonly reminders: RemindersReport;
}

export interface BusyCountyOptions {
  /** Migrated and empty, by its owner's login. */
  readonly database: Database;
  /** Where the processes find it: their `DATABASE_…` settings. */
  readonly settings: Readonly<Record<string, string>>;
  /** For files that are made on the way. */
  readonly folder: string;
  readonly seed: number;
  /** Ends claims at the end instead of waiting for their time to run out. */
  readonly isHurried?: boolean | undefined;
}

const files: Readonly<Record<Part, string>> = {
  worker: fileURLToPath(new URL('../server/src/worker.ts', import.meta.url)),
  server: fileURLToPath(new URL('../testing/api-process.ts', import.meta.url)),
};

/**
 * Runs a county's election day: imports make messages, providers take them, reminders become due and the post office pushes
 * scans, for as long as `disturb` takes. Then it compares what the providers got with what was promised.
 */
export async function runBusyCounty(
  { database, settings, folder, seed, isHurried = false }: BusyCountyOptions,
  disturb: (county: BusyCounty) => Promise<void>,
): Promise<CountyReport> {
  let isOver = false;
  let isSettled = false;
  const closers: (() => Promise<unknown> | unknown)[] = [
    () => {
      isOver = true;
      isSettled = true;
    },
  ];
  try {
    const accountId = await seedCounty(database, folder);
    const apiPort = await findFreePort();
    const apiUrl = `http://127.0.0.1:${apiPort}`;
    const providers = await createProviderStubs(createRandom(seed + 1));
    closers.push(() => providers.close());
    const environment = {
      ...process.env,
      ...settings,
      BEACON_DATA: folder,
      PORT: String(apiPort),
      PUBLIC_URL: apiUrl,
      DEFAULT_ACCOUNT: 'chaos',
      BEACON_DEMO: '0',
      CAPTCHA: 'off',
      TRUST_PROXY: 'loopback',
      LOG_LEVEL: 'silent',
      SMTP_URL: providers.smtpUrl,
      SMS_HTTP_URL: providers.smsUrl,
      SMS_HTTP_TOKEN: smsToken,
      SITE_VISITS_PER_SECOND: '0',
    };
    let isEnding = false;
    const children: Partial<Record<Part, ChildProcess>> = {};
    const start = (part: Part): void => {
      const child = spawn(process.execPath, [files[part]], { env: environment, stdio: 'ignore' });
      children[part] = child;
      // Its supervisor would do so, whatever ended it.
      child.once('exit', () => {
        if (!isEnding) start(part);
      });
    };
    closers.push(() => {
      isEnding = true;
      for (const child of Object.values(children)) child.kill('SIGKILL');
    });
    start('worker');
    start('server');

    const imports = keepImporting(database, accountId, createRandom(seed + 4), () => isOver);
    const post = await createPostOffice({
      ...{ database, accountId, apiUrl },
      random: createRandom(seed + 2),
    });
    const pushes = post.keepPushing(() => isOver);
    // A failure is reported when the run is over.
    pushes.catch(() => {});
    const reminders = await createReminders({
      ...{ database, accountId, providers },
      random: createRandom(seed + 3),
    });
    const fixes = reminders.keepChanging(() => isOver);
    const looks = reminders.keepLooking(() => isSettled);
    await disturb({
      ...{ accountId, apiUrl, providers },
      kill: (part) => children[part]?.kill('SIGKILL'),
    });
    isOver = true;
    await Promise.all([imports, pushes, fixes]);
    if (isHurried) {
      children.worker?.kill('SIGKILL');
      await wait(200);
      await sql`update messages set claimed_at = claimed_at - interval '2 minutes' where state = 'sending'`.execute(
        database.system,
      );
    }
    await settle(database, providers, reminders.countDue);
    isSettled = true;
    await looks;
    return {
      ...(await compare(database, providers)),
      post: await post.compare(),
      reminders: await reminders.compare(),
    };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** Waits until messages are handed over again, and then for a random time: a kill only hurts work in progress. */
export async function waitForWork(
  { providers }: BusyCounty,
  random: () => number,
  { patienceMs, longestMs }: { readonly patienceMs: number; readonly longestMs: number },
): Promise<void> {
  const before = providers.taken();
  const patience = Date.now() + patienceMs;
  while (providers.taken() === before && Date.now() < patience) await wait(20);
  await wait(random() * longestMs);
}
