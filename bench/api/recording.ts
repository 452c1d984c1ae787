import { ask, type WholeAnswer } from './ask.ts';
import type { Served } from './processes.ts';
import type { Trip } from './recorder.ts';
import { asks, type Kind, statusOf, type Visitor } from './requests.ts';

/** A request of one voter: what the product sent to PostgreSQL for it, and its answer. */
export interface Recording {
  readonly kind: Kind;
  readonly voter: Visitor;
  /** When, in milliseconds. */
  readonly at: number;
  readonly trips: readonly Trip[];
  readonly answer: WholeAnswer;
}

/** Looks at an office's content and a process's own work come in between, on a busy machine almost each time. */
const mostTries = 20;

/** @param api with `recording-api.ts` loaded, of which nobody else asks anything */
export async function recordRequests(
  api: Served,
  voters: readonly Visitor[],
  kinds: readonly Kind[],
): Promise<Recording[]> {
  const recordings: Recording[] = [];
  for (const voter of voters) {
    // The first answer brings the browser's cookie, and the office's content into memory.
    const { answer } = await record(api, asks.information(voter));
    const device = readCookie(answer, 'beacon_device');
    const visitor = device === undefined ? voter : { ...voter, device };
    for (const kind of kinds) recordings.push(await recordOne(api, kind, visitor));
  }
  return recordings;
}

/** What was sent twice is what this request takes: anything else that the process does differs from time to time. */
async function recordOne(api: Served, kind: Kind, voter: Visitor): Promise<Recording> {
  const seen = new Set<string>();
  for (let tries = 0; tries < mostTries; tries += 1) {
    const at = Date.now();
    const { answer, trips } = await record(api, asks[kind](voter));
    if (answer.status === 503) continue;
    if (answer.status !== statusOf[kind]) throw new Error(`${kind} was answered ${answer.status}.`);
    const own = trips.filter((trip) => !trip.some(({ text }) => looksAtContent.test(text)));
    const texts = JSON.stringify(own.map((trip) => trip.map(({ text }) => text)));
    if (seen.has(texts)) return { kind, voter, at, trips: own, answer };
    seen.add(texts);
  }
  throw new Error(`${kind} takes other statements each time.`);
}

/** Twice a second for each office, whatever is asked. */
const looksAtContent = /^\s*select content_version\b/;

async function record(api: Served, request: Buffer) {
  await api.takeTrips();
  const answer = await ask(api.port, request);
  return { answer, trips: await api.takeTrips() };
}

function readCookie({ headers }: WholeAnswer, name: string): string | undefined {
  const cookies = headers.filter(([header]) => header === 'set-cookie');
  const own = cookies.find(([, value]) => value.startsWith(`${name}=`));
  return own?.[1].slice(name.length + 1).split(';')[0];
}
