import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../server/src/platform/postgres.ts';
import { type CountyReport, runBusyCounty, waitForWork } from '../busy-county.ts';
import { createRandom } from '../random.ts';
import { createVisitors, type VisitorsReport } from '../visitors.ts';
import { type DatabaseMachine, followFailoverPage } from './machines.ts';

/** One death of the primary. */
export interface Failover {
  readonly machine: DatabaseMachine;
  /** `power`: everything on the machine at once; `postgres`: PostgreSQL alone. */
  readonly lost: 'power' | 'postgres';
  /** Until a voter who came after it was signed in. */
  readonly backAfterMs: number;
}

export interface FailoverReport extends CountyReport {
  readonly failovers: readonly Failover[];
  readonly visitors: VisitorsReport;
}

const beacon = fileURLToPath(new URL('../../server/beacon', import.meta.url));
/** How long a machine without power stays away. */
const shortestAwayMs = 2_000;
const longestAwayMs = 8_000;

/**
 * Builds what docs/operations/failover.md says, and kills the primary at random moments of a county's election day while voters sign in.
 *
 * @param kills how many @param seed of the random moments
 */
export async function runFailover(options: {
  readonly kills: number;
  readonly seed: number;
  readonly isHurried?: boolean;
  readonly onFailover?: (failover: Failover) => void;
}): Promise<FailoverReport> {
  const { seed, isHurried } = options;
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'beacon-failover-run-'));
  const closers: (() => Promise<unknown> | unknown)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
  ];
  try {
    const machines = await followFailoverPage();
    closers.push(() => machines.close());
    const { DATABASE_URL: ownerUrl = '', ...settings } = machines.settings;
    execFileSync(beacon, ['migrate'], {
      env: { ...process.env, DATABASE_URL: ownerUrl, BEACON_DATA: folder },
      stdio: 'ignore',
    });
    const database = openDatabase(ownerUrl, { connections: 4 });
    closers.push(() => database.close());
    const failovers: Failover[] = [];
    let visitors: VisitorsReport | undefined;
    const county = await runBusyCounty(
      { database, settings, folder, seed, isHurried },
      async (county) => {
        let isOver = false;
        const visits = await createVisitors(database, county);
        const visiting = visits.keepVisiting(() => isOver);
        // A failure is reported when the run is over.
        visiting.catch(() => {});
        try {
          await visits.timeUntilSignIn();
          for (let count = 1; count <= options.kills; count += 1) {
            await machines.waitUntilSafe();
            await waitForWork(county, random, { patienceMs: 30_000, longestMs: 3_000 });
            const { leader: machine } = await machines.readRoles();
            if (!machine) throw new Error('There is no primary to kill.');
            const lost = random() < 0.5 ? 'power' : 'postgres';
            const primary = machines.database[machine];
            if (lost === 'power') primary.cutPower();
            else primary.killPostgres();
            const back = visits.timeUntilSignIn();
            if (lost === 'power') {
              await wait(shortestAwayMs + random() * (longestAwayMs - shortestAwayMs));
              await back;
              primary.boot();
            }
            const failover = { machine, lost, backAfterMs: await back } as const;
            failovers.push(failover);
            options.onFailover?.(failover);
          }
          await machines.waitUntilSafe();
        } finally {
          isOver = true;
        }
        await visiting;
        visitors = await visits.compare();
      },
    );
    if (!visitors) throw new Error('The run ended before its visitors were counted.');
    return { ...county, failovers, visitors };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}
