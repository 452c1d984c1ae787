/**
 * Without a connection, shows the last status that a voter chose to keep on this device (web/src/shell/kept-status.ts).
 * It runs only where a voter chose that. Served as it is, under one address, so that every later version replaces it.
 */
const cacheName = 'beacon-kept-status';
const address = '/voter/kept-status';
/** An older status helps nobody, and may be of a voter who will not come back. In milliseconds. */
const keptFor = 14 * 24 * 60 * 60_000;
/** For a tab that is just writing the status anew; one that hangs must not hold up the page. In milliseconds. */
const patience = 2000;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(answer(event.request));
});

async function answer(request) {
  let response;
  try {
    response = await fetch(request);
  } catch (error) {
    const kept = await readKept();
    if (kept) return kept;
    throw error;
  }
  // The session is over, wherever it ended: what was kept goes before the page is shown.
  if (response.headers.get('beacon-session') === 'none') await discard();
  return response;
}

async function readKept() {
  const kept = await caches.match(address, { cacheName });
  if (!kept) return undefined;
  if (Date.now() - Number(kept.headers.get('beacon-kept-at')) < keptFor) return kept;
  await discard();
  return undefined;
}

/** In turn with the pages, which write under the same lock: nothing is written after this. */
function discard() {
  const signal = AbortSignal.timeout(patience);
  return navigator.locks.request(cacheName, { signal }, remove).catch(remove);
}

/** The cache last: a tab that hung may open it until then, which makes it anew. */
async function remove() {
  await self.registration.unregister();
  await caches.delete(cacheName);
}
