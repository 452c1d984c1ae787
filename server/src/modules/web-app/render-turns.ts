/**
 * Renders one page per round of the event loop. A render takes the process's only thread for some milliseconds; twenty in
 * one go would keep everybody else from being heard, read and refused for as long as all of them take.
 */
export function createRenderTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}
