import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { pg } from '../../testing/sql.ts';

const ticksPerSecond = 100;

/** @returns seconds of processor that a process has used, without and with those of its children that ended */
export function readCpuOf(pid: number | string | undefined): { own: number; withEnded: number } {
  // After the name, which may contain spaces: utime and stime are the 12th and 13th fields, those of ended children follow.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
  const own = (user + system) / ticksPerSecond;
  return { own, withEnded: own + (endedUser + endedSystem) / ticksPerSecond };
}

/** @returns reads the seconds of processor that all processes of the PostgreSQL at `url` have used, those that ended too */
export async function watchDatabase(url: string): Promise<() => number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const status = readFileSync(`/proc/${rows[0]?.pid}/status`, 'utf8');
  await client.end();
  const main = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
  return () => {
    const children = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8').trim().split(' ');
    let seconds = readCpuOf(main).withEnded;
    for (const child of children) {
      try {
        seconds += readCpuOf(child).own;
      } catch {
        // It ended just now, and counts from the next reading on.
      }
    }
    return seconds;
  };
}

/**
 * How busy the machine is with what is none of the bench's.
 *
 * @param readOwn seconds of processor of the bench's servers
 * @returns cores that others used on average since the call
 */
export function watchOthers(readOwn: () => number): () => number {
  const read = () => {
    const { user, system } = process.cpuUsage();
    return readMachineCpu() - readOwn() - (user + system) / 1e6;
  };
  const [startedAt, before] = [performance.now(), read()];
  return () => Math.max(0, (read() - before) / ((performance.now() - startedAt) / 1000));
}

/** Seconds for which the machine's processors were busy. */
function readMachineCpu(): number {
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0] = readFileSync(
    '/proc/stat',
    'utf8',
  )
    .split('\n', 1)
    .join('')
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + interrupts + soft) / ticksPerSecond;
}

/** In words, for the head of a report. */
export function describeOthers(cores: number): string {
  return `other work used ${cores.toFixed(1)} of ${availableParallelism()} cores`;
}
