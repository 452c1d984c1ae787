import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { codeOf, type Log, plainText, stackOf } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres.ts';
import type { Account } from '../accounts/index.ts';
import { FileRefused, openSourceFile } from '../imports/index.ts';
import {
  DatabaseAwayError,
  explain,
  isFolderAway,
  isForbidden,
  mayPass,
  rootOf,
} from './faults.ts';
import { describeTaken, type Taken } from './file-report.ts';
import { DropFolder, type DroppedFile, isSame } from './folder.ts';
import { takeTurn } from './store.ts';

/** What the watcher finds when it opens the database: an account, and a way to take a file in. */
export interface Office {
  readonly database: Database;
  readonly account: Account;
  takeIn(path: string): Promise<Taken>;
}

export interface FiledFile {
  readonly name: string;
  /** Where it is now. */
  readonly path: string;
  readonly state: 'done' | 'held' | 'refused' | 'failed';
  readonly importId: number | null;
  /** The report, for people. */
  readonly text: string;
}

export interface WatchOptions {
  readonly directory: string;
  readonly subdomain: string;
  /** A file is whole when nothing of it changed for so long. */
  readonly settleMs: number;
  readonly everyMs: number;
  /** How long a compressed file that is not whole may stay unchanged before it is given up. */
  readonly patienceMs: number;
  /** Deals with what is there and returns, instead of going on until the signal. */
  readonly isOnce: boolean;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the database, does the work and leaves it. Throws {@link DatabaseAwayError} when it cannot be opened. */
  withOffice<T>(work: (office: Office) => Promise<T>): Promise<T>;
  onFiled(file: FiledFile): void;
}

interface Observed extends DroppedFile {
  /** Since when it has been as it is, by this process's clock: a network disk's clock may be any. */
  readonly since: number;
  /** Set when it is a compressed file whose end is missing. */
  isTorn?: boolean;
}

const longestPauseMs = 30_000;

export interface WatchResult {
  /** Whether no file went to `failed/`. */
  readonly isAllTaken: boolean;
  /** Compressed files that wait for their end. */
  readonly torn: readonly string[];
}

/**
 * Takes in what an office's exporter drops into a folder, one file after the other, until the signal; the file at hand
 * is finished. It looks at the folder again and again instead of asking to be told: on network disks, where exporters write,
 * nobody is told, and whether a file is whole shows only by looking twice.
 */
export async function watchFolder(options: WatchOptions): Promise<WatchResult> {
  const watcher = new Watcher(options);
  await watcher.run();
  const { isAllTaken, torn } = watcher;
  return { isAllTaken, torn };
}

class Watcher {
  readonly #options: WatchOptions;
  readonly #folder: DropFolder;
  #observed = new Map<string, Observed>();
  #pauseMs: number;
  isAllTaken = true;
  torn: string[] = [];

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#folder = new DropFolder(options.directory);
    this.#pauseMs = options.everyMs;
  }

  async run(): Promise<void> {
    const { signal, isOnce, everyMs, log } = this.#options;
    const account = plainText(this.#options.subdomain);
    await this.#folder.prepare();
    log.write('watch.started', { account });
    let hasMetOffice = false;
    while (!signal.aborted) {
      try {
        // An account that is not there, or whose folder it is not, is told before the first file comes.
        if (!hasMetOffice)
          await this.#options.withOffice(({ account: { subdomain } }) =>
            this.#folder.claimFor(subdomain),
          );
        hasMetOffice = true;
        const left = await this.#lookOnce();
        this.#pauseMs = everyMs;
        if (isOnce && left === 0) break;
      } catch (error) {
        if (isOnce || !(mayPass(error) || isFolderAway(error))) throw error;
        log.write('watch.waiting', { account, code: codeOf(rootOf(error)) });
        this.#pauseMs = Math.min(this.#pauseMs * 2, Math.max(longestPauseMs, everyMs));
      }
      await wait(this.#pauseMs, undefined, { signal }).catch(() => {});
    }
    log.write('watch.stopped', { account });
  }

  /** @returns how many files were not yet whole, or have to wait for their turn */
  async #lookOnce(): Promise<number> {
    const found = await this.#observe();
    const leftovers = await this.#folder.list(this.#folder.importing);
    const ready: Observed[] = [];
    let waiting = 0;
    this.torn = [];
    for (const file of found) {
      const verdict = await this.#judge(file);
      if (verdict === 'whole') ready.push(file);
      else if (verdict === 'torn') this.torn.push(file.name);
      else waiting += 1;
    }
    if (ready.length + leftovers.length === 0) return waiting;
    const hadTurn = await this.#options.withOffice((office) =>
      takeTurn(office.database, office.account.accountId, () => this.#takeAll(office, ready)),
    );
    return hadTurn ? waiting : waiting + ready.length + leftovers.length;
  }

  async #observe(): Promise<Observed[]> {
    const now = performance.now();
    const files = (await this.#folder.list()).map((file) => {
      const before = this.#observed.get(file.name);
      return before && isSame(before, file) ? before : { ...file, since: now };
    });
    this.#observed = new Map(files.map((file) => [file.name, file]));
    return files;
  }

  /** `torn`: a compressed file without its end, which may still come. */
  async #judge(file: Observed): Promise<'whole' | 'settling' | 'torn'> {
    const { settleMs, patienceMs, clock, directory, isOnce } = this.#options;
    const watchedMs = performance.now() - file.since;
    if (watchedMs < settleMs) return 'settling';
    // Who looks but once has only the disk's own word for how long.
    const restedMs = isOnce
      ? clock.now().getTime() - Math.max(file.ctimeMs, file.mtimeMs)
      : watchedMs;
    if (restedMs > patienceMs) return 'whole';
    file.isTorn ??= await isTornArchive(join(directory, file.name));
    return file.isTorn ? 'torn' : 'whole';
  }

  /** First what a watcher that died had begun: it came before whatever waits now. */
  async #takeAll(office: Office, ready: readonly Observed[]): Promise<void> {
    for (const { name } of await this.#folder.list(this.#folder.importing)) {
      if (this.#options.signal.aborted) return;
      await this.#take(office, name);
    }
    for (const file of ready) {
      if (this.#options.signal.aborted) return;
      if (await this.#folder.claim(file)) await this.#take(office, file.name);
    }
  }

  async #take(office: Office, name: string): Promise<void> {
    const { log } = this.#options;
    const account = plainText(office.account.subdomain);
    const before = await this.#folder.lookAtClaimed(name);
    if (!before) return;
    const startedAt = performance.now();
    const taken = await office.takeIn(join(this.#folder.importing, name)).catch(async (error) => {
      if (mayPass(error)) {
        await this.#folder.putBack(name);
        throw new DatabaseAwayError('The file waits.', { cause: error });
      }
      const code = codeOf(error);
      if (!isForbidden(error)) log.write('watch.failed', { account, code, stack: stackOf(error) });
      return { kind: 'unusable', message: explain(error) } as const;
    });
    if (taken.kind === 'imported') {
      const { importId, state, report } = taken.outcome;
      log.write('import.finished', {
        account,
        import: importId,
        format: plainText(report.format),
        state,
        rows: report.rows.read,
        refused: report.rows.refused,
        milliseconds: Math.round(performance.now() - startedAt),
      });
    } else {
      log.write('watch.refused', { account });
    }
    const after = await this.#folder.lookAtClaimed(name);
    if (!after || !isSame(before, after)) {
      // Somebody was still writing. What was read is in, or refused; the rest is read when the file rests again.
      log.write('watch.changed', { account });
      if (after) await this.#folder.putBack(name);
      return;
    }
    await this.#file(office, name, taken);
  }

  async #file({ account }: Office, name: string, taken: Taken): Promise<void> {
    const now = this.#options.clock.now();
    const isImported = taken.kind === 'imported';
    const state = isImported ? taken.outcome.state : 'failed';
    const importId = isImported ? taken.outcome.importId : null;
    const where = state === 'done' || state === 'held' ? 'done' : 'failed';
    if (where === 'failed') this.isAllTaken = false;
    let text = '';
    const describe = (rejectsFile: string | null) => {
      text = describeTaken(account, name, taken, rejectsFile, now);
      const json = isImported
        ? { ...taken.outcome.report, rejectsFile }
        : { refusedBecause: taken.message };
      return { text, json: { import_id: importId, state, file_name: name, ...json } };
    };
    const rejects = isImported ? taken.outcome.report.rejectsFile : null;
    const path = await this.#folder.file(name, where, now, describe, rejects);
    this.#options.onFiled({ name, path, state, importId, text });
  }
}

/** Whether it is a compressed file whose end is missing. Other faults are for the import to name. */
async function isTornArchive(path: string): Promise<boolean> {
  try {
    const file = await openSourceFile(path, '');
    // A plain file says its size, a compressed one is known only by reading it.
    if (file.size !== undefined) return false;
    for await (const piece of file.open()) void piece;
    return false;
  } catch (error) {
    return error instanceof FileRefused && /not whole/.test(error.message);
  }
}
