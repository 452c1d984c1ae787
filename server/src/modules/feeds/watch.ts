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
import { DropFolder } from './folder.ts';
import { type DroppedFile, isSame, type Oddity } from './guarded-files.ts';
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
  /** Where the watch keeps what strangers must not reach. */
  readonly stateDirectory: string;
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
  /** Links and the like that stay where they are. */
  readonly oddities: ReadonlyMap<string, Oddity>;
}

/**
 * Imports the files that an office's exporter drops into a folder, one after another, until the signal; then it finishes the
 * current file. It polls the folder, because network disks, where exporters write, report no changes, and only two
 * checks can show that a file is complete.
 */
export async function watchFolder(options: WatchOptions): Promise<WatchResult> {
  const watcher = new Watcher(options);
  await watcher.run();
  const { isAllImported, torn, oddities } = watcher;
  return { isAllImported, torn, oddities };
}

class Watcher {
  readonly #options: WatchOptions;
  readonly #folder: DropFolder;
  #observed = new Map<string, Observed>();
  #pauseMs: number;
  isAllImported = true;
  oddities: ReadonlyMap<string, Oddity> = new Map();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#folder = new DropFolder(options.directory, options.stateDirectory);
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
        if (!hasMetOffice) await this.#options.withOffice((office) => this.#meet(office));
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

  async #meet({ database, account: { accountId, subdomain } }: Office): Promise<void> {
    await this.#folder.claimFor(subdomain);
    await takeTurn(database, accountId, () => this.#folder.adoptFormer());
  }

  /** Incomplete compressed files. */
  get torn(): string[] {
    return [...this.#observed.values()].filter(({ isTorn }) => isTorn).map(({ name }) => name);
  }

  /** @returns how many files are still incomplete or waiting for their turn */
  async #lookOnce(): Promise<number> {
    const found = await this.#observe();
    const ready = found.filter((file) => this.#judge(file) === 'ready');
    const settling = found.filter((file) => this.#judge(file) === 'settling').length;
    const leftOver = await this.#folder.listLeftOver();
    if (ready.length + leftOver.length === 0) return settling;
    const hadTurn = await this.#options.withOffice((office) =>
      takeTurn(office.database, office.account.accountId, () => this.#takeAll(office, ready)),
    );
    return hadTurn ? settling : settling + ready.length + leftOver.length;
  }

  async #observe(): Promise<Observed[]> {
    const now = performance.now();
    const { files, oddities } = await this.#folder.list();
    const account = plainText(this.#options.subdomain);
    for (const [name, what] of oddities) {
      if (this.oddities.get(name) !== what)
        this.#options.log.write('watch.passed-over', { account, what });
    }
    this.oddities = oddities;
    const observed = files.map((file) => {
      const before = this.#observed.get(file.name);
      return before && isSame(before, file) ? before : { ...file, since: now };
    });
    this.#observed = new Map(observed.map((file) => [file.name, file]));
    return observed;
  }

  /** `torn`: a compressed file without its end, which may still arrive. */
  #judge(file: Observed): 'ready' | 'settling' | 'torn' {
    if (performance.now() - file.since < this.#options.settleMs) return 'settling';
    return file.isTorn && !this.#isGivenUp(file) ? 'torn' : 'ready';
  }

  #isGivenUp(file: Observed): boolean {
    const { patienceMs, clock, isOnce } = this.#options;
    // With a single check, only the disk's own times show how long the file has not changed.
    const restedMs = isOnce
      ? clock.now().getTime() - Math.max(file.ctimeMs, file.mtimeMs)
      : performance.now() - file.since;
    return restedMs > patienceMs;
  }

  /** First the files that a watcher left over when it died: they arrived before the waiting files. */
  async #takeAll(office: Office, ready: readonly Observed[]): Promise<void> {
    for (const copy of await this.#folder.listLeftOver()) {
      if (this.#options.signal.aborted) return;
      await this.#import(office, copy);
    }
    for (const file of ready) {
      if (this.#options.signal.aborted) return;
      await this.#take(office, file);
    }
  }

  async #take(office: Office, file: Observed): Promise<void> {
    const copy = await this.#folder.copy(file).catch((error: unknown) => {
      if (mayPass(error)) throw new DatabaseAwayError('The file has to wait.', { cause: error });
      if (isForbidden(error)) return error;
      throw error;
    });
    if (copy === null) {
      // A program is still writing. The file is read when it has settled.
      this.#options.log.write('watch.changed', { account: plainText(office.account.subdomain) });
      return;
    }
    if (typeof copy !== 'string') return this.#file(office, file, unusable(copy));
    file.isTorn = !this.#isGivenUp(file) && (await isTornArchive(copy));
    if (file.isTorn) return this.#folder.discard(file.name);
    await this.#import(office, file);
  }

  /** @param file that has been copied */
  async #import(office: Office, file: DroppedFile): Promise<void> {
    const { log } = this.#options;
    const account = plainText(office.account.subdomain);
    const startedAt = performance.now();
    const result = await office
      .importFile(this.#folder.pathOfCopy(file.name))
      .catch((error: unknown) => {
        if (mayPass(error)) throw new DatabaseAwayError('The file has to wait.', { cause: error });
        log.write('watch.failed', { account, code: codeOf(error), stack: stackOf(error) });
        return unusable(error);
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
    await this.#file(office, file, result);
  }

  async #file({ account }: Office, file: DroppedFile, result: FileResult): Promise<void> {
    const { name } = file;
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
    const path = await this.#folder.file(file, where, now, describe, rejects);
    this.#options.onFiled({ name, path, state, importId, text });
  }
}

function unusable(error: unknown): FileResult {
  return { kind: 'unusable', message: explain(error) };
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
