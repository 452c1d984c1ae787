import { codeOf, stackOf } from '../../platform/log.ts';
import { isUnavailable } from '../../platform/postgres.ts';
import { eraseUploads } from './erase.ts';
import { checkFile, importUploaded } from './handle-file.ts';
import type { UploadWorkParts } from './parts.ts';
import { leaseSeconds, mostAttempts } from './rules.ts';
import { type Claim, claimUpload, endWork, renewLease } from './work-store.ts';

/** What a process does about uploaded files, one after the other; any number of processes may. */
export interface UploadWork {
  /** Looks for work at once instead of at the next turn. */
  wake(): void;
  start(): void;
  /** Does all that is due. @returns how many checks and imports */
  runDue(): Promise<number>;
  /** Erases what is past its time. @returns of how many uploads */
  erase(): Promise<number>;
  /** Starts nothing more, and waits for what is under way. */
  stop(): Promise<void>;
}

const lookMs = 1_000;
const eraseMs = 60_000;
/** Often enough for a person who watches, and well within the lease. */
const renewMs = Math.min(2_000, (leaseSeconds * 1000) / 4);

export function createUploadWork(parts: UploadWorkParts): UploadWork {
  const { database, clock, log } = parts;
  let isStopping = false;
  let isStarted = false;
  let isAwake = false;
  let running: Promise<number> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let erasing: NodeJS.Timeout | undefined;

  async function runDue(): Promise<number> {
    let count = 0;
    while (!isStopping) {
      const claim = await claimUpload(database.system);
      if (!claim) break;
      await work(parts, claim);
      count += 1;
    }
    return count;
  }

  /** A failure is tried again at the next turn: the work stays queued. */
  function turn(): Promise<number> {
    running ??= runDue()
      .catch((error: unknown) => {
        log.write('job.failed', { job: 'uploads', code: codeOf(error), stack: stackOf(error) });
        return 0;
      })
      .finally(() => {
        running = undefined;
        if (!isStarted || isStopping) return;
        timer = setTimeout(turn, isAwake ? 0 : lookMs);
        isAwake = false;
      });
    return running;
  }

  const erase = () => eraseUploads(database, clock.now());
  return {
    runDue,
    erase,
    wake() {
      isAwake = true;
      if (!isStarted || running) return;
      clearTimeout(timer);
      void turn();
    },
    start() {
      isStarted = true;
      void turn();
      erasing = setInterval(() => {
        erase().catch((error: unknown) =>
          log.write('job.failed', { job: 'erase', code: codeOf(error), stack: stackOf(error) }),
        );
      }, eraseMs);
      erasing.unref();
    },
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      clearInterval(erasing);
      await running;
    },
  };
}

const failed = 'This failed on our side, and nothing was changed. Try again, or ask your operator.';

/** Works on one upload, and keeps its lease meanwhile. */
async function work(parts: UploadWorkParts, claim: Claim): Promise<void> {
  const { database, clock, log } = parts;
  const end = (problem: string) => endWork(database.system, claim, { problem }, clock.now());
  if (claim.attempts > mostAttempts) return end(failed);
  let bytes = 0;
  const renewing = setInterval(() => {
    // A process that lost the lease finds out when it wants to record something.
    renewLease(database.system, claim, bytes).catch(() => {});
  }, renewMs);
  const task = {
    claim,
    onBytes: (read: number) => {
      bytes = read;
    },
  };
  try {
    if (claim.upload.state === 'checking') await checkFile(parts, task);
    else await importUploaded(parts, task);
  } catch (error) {
    // The database will be back, and the lease ends by itself.
    if (isUnavailable(error)) throw error;
    log.write('job.failed', { job: 'uploads', code: codeOf(error), stack: stackOf(error) });
    await end(failed);
  } finally {
    clearInterval(renewing);
  }
}
