import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { migrate } from '../server/src/platform/migrations.ts';
import { openDatabase } from '../server/src/platform/postgres.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';
import { findFreePort } from '../testing/ports.ts';
import { sql } from '../testing/sql.ts';
import { keepImporting, seedCounty } from './county.ts';
import { createPostOffice } from './post-office.ts';
import { createProviderStubs, smsToken } from './providers.ts';
import { createRandom } from './random.ts';
import { createReminders } from './reminders.ts';
import { type ChaosReport, compare, settle } from './report.ts';

const sourceFolder = fileURLToPath(new URL('../server/src/', import.meta.url));

/**
 * Kills the worker, the server and the database with SIGKILL at random moments while imports make messages,
 * providers take them, reminders become due and the post office pushes scans, and then compares what the providers got with what was promised.
 *
 * @param kills how many in all @param seed of the random moments, so that a run can be repeated in kind
 */
export async function runChaos(options: {
  readonly kills: number;
  readonly seed: number;
  /** Ends claims at the end instead of waiting for their time to run out. */
  readonly isHurried?: boolean;
  readonly onKill?: (count: number, victim: string) => void;
}): Promise<ChaosReport> {
  const random = createRandom(options.seed);
  const folder = mkdtempSync(join(tmpdir(), 'beacon-chaos-'));
  const closers: (() => Promise<unknown> | unknown)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
  ];
  try {
    const postgres = await startPrivatePostgres({ dataDirectory: folder });
    closers.push(() => postgres.close());
    const database = openDatabase(postgres.url, { connections: 4 });
    closers.push(() => database.close());
    await migrate(postgres.url);
    const accountId = await seedCounty(database, folder);

    const apiPort = await findFreePort();
    const providers = await createProviderStubs(createRandom(options.seed + 1));
    closers.push(() => providers.close());
    const environment = {
      ...process.env,
      DATABASE_URL: postgres.url,
      BEACON_DATA: folder,
      PORT: String(apiPort),
      PUBLIC_URL: `http://127.0.0.1:${apiPort}`,
      DEFAULT_ACCOUNT: 'chaos',
      BEACON_DEMO: '0',
      LOG_LEVEL: 'silent',
      SMTP_URL: providers.smtpUrl,
      SMS_HTTP_URL: providers.smsUrl,
      SMS_HTTP_TOKEN: smsToken,
    };
    let isEnding = false;
    const start = (name: 'worker' | 'server'): void => {
      const child = spawn(process.execPath, [files[name]], { env: environment, stdio: 'ignore' });
      children[name] = child;
      // Its supervisor would do so, whatever ended it.
      child.once('exit', () => {
        if (!isEnding) start(name);
      });
    };
    const files = {
      worker: join(sourceFolder, 'worker.ts'),
      server: fileURLToPath(new URL('api.ts', import.meta.url)),
    };
    const children: Partial<Record<'worker' | 'server', ChildProcess>> = {};
    closers.push(() => {
      isEnding = true;
      for (const child of Object.values(children)) child.kill('SIGKILL');
    });
    start('worker');
    start('server');

    let isOver = false;
    const imports = keepImporting(database, accountId, random, () => isOver);
    const post = await createPostOffice({
      database,
      accountId,
      apiUrl: `http://127.0.0.1:${apiPort}`,
      random: createRandom(options.seed + 2),
    });
    const pushes = post.keepPushing(() => isOver);
    // A failure is reported when the run is over.
    pushes.catch(() => {});
    let isSettled = false;
    const reminders = await createReminders({
      ...{ database, accountId, providers },
      random: createRandom(options.seed + 3),
    });
    const fixes = reminders.keepChanging(() => isOver);
    const looks = reminders.keepLooking(() => isSettled);
    const kills = { worker: 0, server: 0, database: 0 };
    for (let count = 1; count <= options.kills; count += 1) {
      // A kill only hurts work in progress: wait until messages are handed over again, and then for a random time.
      const before = providers.taken();
      const patience = Date.now() + 8_000;
      while (providers.taken() === before && Date.now() < patience) await wait(20);
      await wait(random() * 600);
      const dice = random();
      const victim = dice < 0.6 ? 'worker' : dice < 0.8 ? 'server' : 'database';
      kills[victim] += 1;
      if (victim === 'database') {
        killPostmaster(folder);
        // Its supervisor would do so.
        const again = await startPrivatePostgres({ dataDirectory: folder });
        closers.push(() => again.close());
      } else {
        children[victim]?.kill('SIGKILL');
      }
      options.onKill?.(count, victim);
    }
    isOver = true;
    await Promise.all([imports, pushes, fixes]);
    if (options.isHurried) {
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
      ...(await compare(database, providers, kills)),
      post: await post.compare(),
      reminders: await reminders.compare(),
    };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** The first line of the file that PostgreSQL keeps while it runs is its process. */
function killPostmaster(folder: string): void {
  const file = join(folder, 'postgres', 'cluster', 'postmaster.pid');
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  process.kill(pid, 'SIGKILL');
}
