import { type ChildProcess, spawn } from 'node:child_process';

const firstPauseMs = 500;
const longestPauseMs = 10_000;
/** A process that cannot finish, because its database is gone, is not waited for. */
const longestFarewellMs = 20_000;

/** A process that is started again when it dies. */
export interface Kept {
  stop(): Promise<void>;
}

interface Keeping {
  readonly onMessage?: (message: unknown) => void;
  readonly isWorthAnotherTry?: () => boolean;
  readonly onGivenUp?: () => void;
}

/** Starts a process, and again whenever it dies, waiting longer each time it dies young. */
export function keepRunning(
  nodeArguments: readonly string[],
  environment: NodeJS.ProcessEnv,
  { onMessage, isWorthAnotherTry, onGivenUp }: Keeping,
): Kept {
  let child: ChildProcess | undefined;
  let isStopping = false;
  let pauseMs = firstPauseMs;
  let ended: Promise<void> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;

  const launch = () => {
    const startedAt = Date.now();
    const running = spawn(process.execPath, nodeArguments, {
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = running;
    if (onMessage) running.on('message', onMessage);
    ended = new Promise((resolve) => {
      running.once('exit', () => {
        resolve();
        if (isStopping) return;
        if (isWorthAnotherTry?.() === false) return onGivenUp?.();
        pauseMs =
          Date.now() - startedAt > longestPauseMs
            ? firstPauseMs
            : Math.min(pauseMs * 2, longestPauseMs);
        retry = setTimeout(launch, pauseMs);
      });
    });
  };
  launch();
  return {
    async stop() {
      isStopping = true;
      clearTimeout(retry);
      child?.kill('SIGTERM');
      const lastResort = setTimeout(() => child?.kill('SIGKILL'), longestFarewellMs);
      await ended;
      clearTimeout(lastResort);
    },
  };
}
