import type { Server } from 'node:net';

/** Half of the time at most goes to newcomers while pages wait for their turn. */
const longestPauseMs = 20;

/**
 * Renders one page at a time, and lets newcomers in between. A render takes the process's only thread for some milliseconds;
 * twenty in one go would keep everybody else from being heard, read and refused for as long as all of them take. Node
 * accepts one connection per round of its event loop: with a render in each round, newcomers would wait outside for
 * seconds, where nobody can refuse them.
 */
export function createRenderTurns(server: Server): () => Promise<void> {
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });

  async function letNewcomersIn(): Promise<void> {
    const until = performance.now() + longestPauseMs;
    let before: number;
    do {
      before = connections;
      await new Promise((resolve) => setImmediate(resolve));
    } while (connections > before && performance.now() < until);
  }

  let last = Promise.resolve();
  return () => {
    last = last.then(letNewcomersIn);
    return last;
  };
}
