/**
 * A signal that aborts after `patience` milliseconds, or sooner with `signal`.
 * `AbortSignal.any` would be shorter, but phones that this page still serves (Safari 16, Chrome 107) do not have it.
 */
export function abortAfter(patience: number, signal?: AbortSignal): AbortSignal {
  if (!signal) return AbortSignal.timeout(patience);
  const both = new AbortController();
  const abort = () => both.abort();
  for (const one of [signal, AbortSignal.timeout(patience)]) {
    if (one.aborted) abort();
    else one.addEventListener('abort', abort, { once: true });
  }
  return both.signal;
}
