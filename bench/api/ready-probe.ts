import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** A thread of its own, so that a busy generator is not taken for a slow answer: asks `/readyz` four times a second. */
const { port } = workerData as { readonly port: number };
const intervalMs = 250;
/** Longer than this is no answer. */
const patienceMs = 10_000;

for (;;) {
  const startedAt = performance.now();
  const status = await fetch(`http://127.0.0.1:${port}/readyz`, {
    signal: AbortSignal.timeout(patienceMs),
  }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 0,
  );
  parentPort?.postMessage({ status, ms: performance.now() - startedAt });
  await wait(intervalMs);
}
