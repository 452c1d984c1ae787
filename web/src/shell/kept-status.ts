import { base } from '@ballot-beacon/contract/pages';

/** The last status of a voter who chose to keep it on this device (docs/decisions/135). web/public/offline-worker.js shows it. */
const cacheName = 'beacon-kept-status';
const address = `${base}/kept-status`;
const voterHeader = 'beacon-voter';
/** In milliseconds. */
const patience = 2000;

/** A whole document, without a script. */
export interface KeptPage {
  readonly html: string;
  readonly style: string;
}

/** Browsers keep nothing for a page that came over plain HTTP. */
export const canKeepStatus = () => 'serviceWorker' in navigator && 'caches' in globalThis;

/**
 * One after the other, in all tabs and the worker: nothing is kept after it was to be discarded. Also not by a page that was just
 * left, whose script runs on for a moment; its turn ends with it.
 */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  return navigator.locks.request(cacheName, work);
}

/** @throws where the browser has no room, or keeps nothing */
export function keepStatus(voterId: number, page: KeptPage): Promise<void> {
  return inTurn(async () => {
    try {
      await navigator.serviceWorker.register(`${base}/offline-worker.js`, { scope: base });
      await write(voterId, page);
    } catch (error) {
      await discard();
      throw error;
    }
  });
}

/** Writes what is kept of this voter anew. @returns whether anything is kept */
export function renewStatus(voterId: number, page: KeptPage): Promise<boolean> {
  return inTurn(async () => {
    if ((await readVoterId()) !== voterId) return false;
    await write(voterId, page);
    return true;
  });
}

/** Does not wait longer than `patience` for a tab that hangs while it keeps a status: what that one writes later, it takes back. */
export function discardStatus(): Promise<void> {
  const signal = AbortSignal.timeout(patience);
  return navigator.locks.request(cacheName, { signal }, discard).catch(discard);
}

/** A session of another voter began without a log-out on this device. */
export function discardStatusOfOthers(voterId: number): Promise<void> {
  return inTurn(async () => {
    const kept = await readVoterId();
    if (kept !== undefined && kept !== voterId) await discard();
  });
}

async function readVoterId(): Promise<number | undefined> {
  const kept = await caches.match(address, { cacheName });
  return kept && Number(kept.headers.get(voterHeader));
}

async function write(voterId: number, { html, style }: KeptPage): Promise<void> {
  const policy = `default-src 'none'; style-src '${await hashOf(style)}'; base-uri 'none'; form-action 'none'`;
  const page = new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'beacon-kept-at': String(Date.now()),
      [voterHeader]: String(voterId),
    },
  });
  await (await caches.open(cacheName)).put(address, page);
  // Discarded meanwhile, here or by the worker, which is then gone: what was written after that goes too.
  if (!(await navigator.serviceWorker.getRegistration(base))) await caches.delete(cacheName);
}

/** The cache last: a tab that hung may open it until then, which makes it anew. */
async function discard(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration(base);
  await worker?.unregister();
  await caches.delete(cacheName);
}

/** A source of a content security policy. */
async function hashOf(style: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
