import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Computes strong hashes beside sign-ins and messages on the same machine. */
export interface Strengthener {
  /** @returns undefined for what is not an import's hash, or when the signal has ended the work */
  strengthen(stored: string): Promise<string | undefined>;
  close(): void;
}

interface Waiting {
  resolve(strong: string | undefined): void;
  reject(error: Error): void;
}

const program = fileURLToPath(new URL('strengthen-process.ts', import.meta.url));

/**
 * A process of low priority: each hash keeps a core busy for a quarter of a second, and on a busy machine sign-ins and messages
 * get ten times its share. A thread's priority is not ours to set.
 *
 * @param signal ends it at once, in the middle of a hash too
 */
export function startStrengthener(signal: AbortSignal): Strengthener {
  const child = fork(program, { env: {}, detached: true });
  // One that has ended already says so at the first hash.
  if (child.pid !== undefined) giveWay(child.pid);
  const close = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', close, { once: true });

  let waiting: Waiting | undefined;
  let end: Error | undefined;
  const settleAtEnd = (error: Error) => {
    end ??= error;
    if (signal.aborted) waiting?.resolve(undefined);
    else waiting?.reject(end);
  };
  child.on('message', (strong: string | null) => waiting?.resolve(strong ?? undefined));
  child.once('error', settleAtEnd);
  child.once('exit', () => settleAtEnd(new Error('The process that strengthens tokens ended.')));
  return {
    strengthen(stored) {
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (end) settleAtEnd(end);
        else child.send(stored, (error) => error && settleAtEnd(error));
      });
    },
    close() {
      signal.removeEventListener('abort', close);
      close();
    },
  };
}

/**
 * Linux shares its cores among sessions first: beside processes of other sessions, as the database is, the priority inside one's own
 * counts for nothing, and a worker that has nothing to do leaves its whole share to the hashes. So they are a session of their own,
 * whose share is small too.
 */
function giveWay(pid: number): void {
  setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Another system, or a kernel without such groups.
  }
}
