/**
 * A signal that aborts after `patience` milliseconds with a TimeoutError, or sooner with `signal`, for its reason.
 * `AbortSignal.any` would be shorter, but phones that this page still serves (Safari 16, Chrome 107) do not have it.
 */
export function abortAfter(patience: number, signal?: AbortSignal): AbortSignal {
  if (!signal) return AbortSignal.timeout(patience);
  const both = new AbortController();
  for (const one of [signal, AbortSignal.timeout(patience)]) {
    const abort = () => both.abort(one.reason);
    if (one.aborted) abort();
    else one.addEventListener('abort', abort, { once: true });
  }
  return both.signal;
}
