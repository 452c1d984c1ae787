import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { codeOf, plainText } from '../../platform/log.ts';
import { isFolderAway } from './faults.ts';
import { type Office, type WatchOptions, type WatchResult, watchFolder } from './watch.ts';

export interface WatchOfficesOptions
  extends Omit<WatchOptions, 'directory' | 'subdomain' | 'withOffice'> {
  /** Has a folder for each office, named after its account, with `exports` inside: what its SFTP login may write to. */
  readonly root: string;
  /** Offices whose files are imported at the same time: each import takes a core, its memory and its connections. */
  readonly officesAtOnce: number;
  /** As in {@link WatchOptions}, for the account of this name. */
  withOffice<T>(subdomain: string, work: (office: Office) => Promise<T>): Promise<T>;
}

/** The folder of an office in which its files arrive. */
const inbox = 'exports';
/** After so many looks into a folder, new offices' folders are found, and what could not be watched is tried again. */
const looksBetween = 15;

/**
 * Watches the folders of all offices in one process until the signal. Each office's files wait for that office alone: what is
 * wrong with one folder never stops the others.
 *
 * @returns of all offices together; names begin with their office's
 */
export async function watchOffices(options: WatchOfficesOptions): Promise<WatchResult> {
  const { root, signal, log, isOnce, officesAtOnce } = options;
  const turns = createFairQueue({
    atOnce: officesAtOnce,
    mostWaiting: Number.POSITIVE_INFINITY,
    mostWaitingOfOne: Number.POSITIVE_INFINITY,
  });
  const watched = new Map<string, Promise<void>>();
  const results = new Map<string, WatchResult>();
  const failures: unknown[] = [];
  const watchOne = async (subdomain: string) => {
    try {
      const result = await watchFolder({
        ...options,
        directory: join(root, subdomain, inbox),
        subdomain,
        withOffice: (work) => turns.run(subdomain, () => options.withOffice(subdomain, work)),
      });
      results.set(subdomain, result);
    } catch (error) {
      log.write('watch.unusable', { account: plainText(subdomain), code: codeOf(error) });
      failures.push(error);
    } finally {
      watched.delete(subdomain);
    }
  };
  // A wrong path is an error of the start.
  let found = await listOffices(root);
  for (;;) {
    for (const subdomain of found)
      if (!watched.has(subdomain)) watched.set(subdomain, watchOne(subdomain));
    if (isOnce) break;
    await wait(options.everyMs * looksBetween, undefined, { signal }).catch(() => {});
    if (signal.aborted) break;
    found = await listOffices(root).catch((error: unknown) => {
      if (!isFolderAway(error)) throw error;
      return [];
    });
  }
  await Promise.all(watched.values());
  if (isOnce && failures.length > 0) throw failures[0];
  return joinResults(results);
}

/** The names of offices' folders that have an inbox. Links are left out: they could lead anywhere. */
async function listOffices(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const names = entries.filter((one) => one.isDirectory()).map(({ name }) => name);
  const hasInbox = await Promise.all(
    names.map(async (name) => {
      const facts = await lstat(join(root, name, inbox)).catch(() => undefined);
      return facts?.isDirectory() === true;
    }),
  );
  return names.filter((_, index) => hasInbox[index]).sort();
}

function joinResults(results: ReadonlyMap<string, WatchResult>): WatchResult {
  const all = [...results];
  return {
    isAllImported: all.every(([, { isAllImported }]) => isAllImported),
    torn: all.flatMap(([office, { torn }]) => torn.map((name) => join(office, name))),
    oddities: new Map(
      all.flatMap(([office, { oddities }]) =>
        [...oddities].map(([name, what]) => [join(office, name), what] as const),
      ),
    ),
  };
}
