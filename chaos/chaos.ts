import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../server/src/platform/migrations.ts';
import { openDatabase } from '../server/src/platform/postgres.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';
import { type CountyReport, runBusyCounty, waitForWork } from './busy-county.ts';
import { createRandom } from './random.ts';

export interface ChaosReport extends CountyReport {
  readonly kills: Readonly<Record<'worker' | 'server' | 'database', number>>;
}

/**
 * Kills the worker, the server and the database with SIGKILL at random moments of a county's election day.
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
  const { seed, isHurried } = options;
  const random = createRandom(seed);
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
    const kills = { worker: 0, server: 0, database: 0 };
    const settings = { DATABASE_URL: postgres.url };
    const report = await runBusyCounty(
      { database, settings, folder, seed, isHurried },
      async (county) => {
        for (let count = 1; count <= options.kills; count += 1) {
          await waitForWork(county, random, { patienceMs: 8_000, longestMs: 600 });
          const dice = random();
          const victim = dice < 0.6 ? 'worker' : dice < 0.8 ? 'server' : 'database';
          kills[victim] += 1;
          if (victim === 'database') {
            killPostmaster(folder);
            // Its supervisor would do so.
            const again = await startPrivatePostgres({ dataDirectory: folder });
            closers.push(() => again.close());
          } else county.kill(victim);
          options.onKill?.(count, victim);
        }
      },
    );
    return { kills, ...report };
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
