import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { ImportId } from '../../platform/ids.ts';
import { codeOf, type Log, plainText, stackOf } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres.ts';
import type { Account } from '../accounts/index.ts';
import { FileTorn, type ImportState, openSourceFile } from '../imports/index.ts';
import {
  DatabaseAwayError,
  explain,
  isFolderAway,
  isForbidden,
  mayPass,
  rootOf,
} from './faults.ts';
import { describeResult, type FileResult } from './file-report.ts';
import { DropFolder, type DroppedFile, isSame } from './folder.ts';
import { takeTurn } from './store.ts';

/** What the watcher gets when it opens the database: an account, and a way to import a file. */
export interface Office {
  readonly database: Database;
  readonly account: Account;
  importFile(path: string): Promise<FileResult>;
}

export interface FiledFile {
  readonly name: string;
  /** Its current path. */
  readonly path: string;
  readonly state: ImportState | 'failed';
  readonly importId: ImportId | null;
  /** The report, for people. */
  readonly text: string;
}

export interface WatchOptions {
  readonly directory: string;
  readonly subdomain: string;
  /** A file is complete when it has not changed for this long. */
  readonly settleMs: number;
  readonly everyMs: number;
  /** How long an incomplete compressed file may stay unchanged before the watch gives up on it. */
  readonly patienceMs: number;
  /** Processes the files that are there and returns, instead of running until the signal. */
  readonly isOnce: boolean;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the database, does the work and closes it. Throws {@link DatabaseAwayError} when it cannot be opened. */
  withOffice<T>(work: (office: Office) => Promise<T>): Promise<T>;
  onFiled(file: FiledFile): void;
}

interface Observed extends DroppedFile {
  /** When the file last changed, by this process's clock, because a network disk's clock may be wrong. */
  readonly since: number;
  /** True for a compressed file whose end is missing. */
  isTorn?: boolean;
}

const longestPauseMs = 30_000;

export interface WatchResult {
  /** Whether no file was moved to `failed/`. */
  readonly isAllImported: boolean;
  /** Incomplete compressed files that are still waiting. */
  readonly torn: readonly string[];
}

/**
 * Imports the files that an office's exporter drops into a folder, one after another, until the signal; then it finishes the
 * current file. It polls the folder, because network disks, where exporters write, report no changes, and only two
 * checks can show that a file is complete.
 */
export async function watchFolder(options: WatchOptions): Promise<WatchResult> {
  const watcher = new Watcher(options);
  await watcher.run();
  const { isAllImported, torn } = watcher;
  return { isAllImported, torn };
}

class Watcher {
  readonly #options: WatchOptions;
  readonly #folder: DropFolder;
  #observed = new Map<string, Observed>();
  #pauseMs: number;
  isAllImported = true;
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
        // Reports a missing account, or a folder of another account, before the first file arrives.
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

  /** @returns how many files are still incomplete or waiting for their turn */
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

  /** `torn`: a compressed file without its end, which may still arrive. */
  async #judge(file: Observed): Promise<'whole' | 'settling' | 'torn'> {
    const { settleMs, patienceMs, clock, directory, isOnce } = this.#options;
    const watchedMs = performance.now() - file.since;
    if (watchedMs < settleMs) return 'settling';
    // With a single check, only the disk's own times show how long the file has not changed.
    const restedMs = isOnce
      ? clock.now().getTime() - Math.max(file.ctimeMs, file.mtimeMs)
      : watchedMs;
    if (restedMs > patienceMs) return 'whole';
    file.isTorn ??= await isTornArchive(join(directory, file.name));
    return file.isTorn ? 'torn' : 'whole';
  }

  /** First the files that a watcher left over when it died: they arrived before the waiting files. */
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
    const result = await office
      .importFile(join(this.#folder.importing, name))
      .catch(async (error) => {
        if (mayPass(error)) {
          await this.#folder.putBack(name);
          throw new DatabaseAwayError('The file has to wait.', { cause: error });
        }
        const code = codeOf(error);
        if (!isForbidden(error))
          log.write('watch.failed', { account, code, stack: stackOf(error) });
        return { kind: 'unusable', message: explain(error) } as const;
      });
    if (result.kind === 'imported') {
      const { importId, state, report } = result.outcome;
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
      // A program was still writing. What was read is loaded or refused; the rest is read when the file has settled.
      log.write('watch.changed', { account });
      if (after) await this.#folder.putBack(name);
      return;
    }
    await this.#file(office, name, result);
  }

  async #file({ account }: Office, name: string, result: FileResult): Promise<void> {
    const now = this.#options.clock.now();
    const isImported = result.kind === 'imported';
    const state = isImported ? result.outcome.state : 'failed';
    const importId = isImported ? result.outcome.importId : null;
    const where = state === 'refused' || state === 'failed' ? 'failed' : 'done';
    if (where === 'failed') this.isAllImported = false;
    let text = '';
    const describe = (rejectsFile: string | null) => {
      text = describeResult(account, name, result, rejectsFile, now);
      const json = isImported
        ? { ...result.outcome.report, rejectsFile }
        : { refusedBecause: result.message };
      return { text, json: { import_id: importId, state, file_name: name, ...json } };
    };
    const rejects = isImported ? result.outcome.report.rejectsFile : null;
    const path = await this.#folder.file(name, where, now, describe, rejects);
    this.#options.onFiled({ name, path, state, importId, text });
  }
}

/** Whether the end of a compressed file is missing. The import reports all other errors. */
async function isTornArchive(path: string): Promise<boolean> {
  try {
    const file = await openSourceFile(path, '');
    // A plain file has a known size; a compressed file must be read.
    if (file.size !== undefined) return false;
    for await (const piece of file.open()) void piece;
    return false;
  } catch (error) {
    return error instanceof FileTorn;
  }
}
