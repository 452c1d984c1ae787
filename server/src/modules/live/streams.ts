import type { Socket } from 'node:net';
import type { LiveEvent } from '@ballot-beacon/contract/live';
import type { AccountId, VoterId } from '../../platform/ids.ts';

export interface StreamOf {
  readonly accountId: AccountId;
  readonly voterId: VoterId;
  /** The smallest network of the visitor's address. */
  readonly network: string;
}

interface Stream extends StreamOf {
  readonly socket: Socket;
  readonly closesAt: number;
}

export interface StreamLimits {
  readonly ofVoter: number;
  readonly ofNetwork: number;
  readonly ofProcess: number;
}

/** A library or a carrier has many voters behind one address. Without a stream the page looks every minute. */
export const streamLimits: StreamLimits = { ofVoter: 6, ofNetwork: 2_000, ofProcess: 12_000 };

/** Many dashboards of one office fetch their ballots at so many a second, not all at once. */
const fetchesPerSecond = 500;
/** A stream ends after about so long, and opens again if the session still lives. */
const lifetimeMs = 10 * 60_000;
/** Shorter than what proxies take for a dead connection. */
const beatMs = 25_000;

/** What a browser that stopped reading may leave waiting, in bytes; it opens a stream anew once it reads again. */
const mostWaiting = 4_096;

/** The open dashboards of this process. */
export class Streams {
  readonly #limits: StreamLimits;
  readonly #byAccount = new Map<AccountId, Set<Stream>>();
  readonly #counts = new Map<string, number>();
  readonly #beat: NodeJS.Timeout;
  #open = 0;

  constructor(limits: StreamLimits = streamLimits) {
    this.#limits = limits;
    this.#beat = setInterval(() => this.#keepAlive(), beatMs).unref();
  }

  hasRoom({ voterId, network }: StreamOf): boolean {
    return (
      this.#open < this.#limits.ofProcess &&
      (this.#counts.get(`voter ${voterId}`) ?? 0) < this.#limits.ofVoter &&
      (this.#counts.get(`network ${network}`) ?? 0) < this.#limits.ofNetwork
    );
  }

  /** @param socket on which the answer has begun, and whose end is the answer's */
  add(of: StreamOf, socket: Socket, first: LiveEvent): void {
    const closesAt = Date.now() + lifetimeMs * (1 + Math.random() / 5);
    const stream: Stream = { ...of, socket, closesAt };
    const streams = this.#byAccount.get(of.accountId) ?? new Set();
    this.#byAccount.set(of.accountId, streams.add(stream));
    this.#count(of, 1);
    socket.once('close', () => {
      if (!streams.delete(stream)) return;
      this.#count(of, -1);
      if (streams.size === 0 && this.#byAccount.get(of.accountId) === streams)
        this.#byAccount.delete(of.accountId);
    });
    // After a restart not everybody comes back in the same second.
    socket.write(`retry: ${Math.round(2_000 + Math.random() * 8_000)}\n${lineOf(first)}`);
  }

  announce(accountId: AccountId): void {
    const streams = this.#byAccount.get(accountId);
    if (!streams) return;
    const withinMs = Math.round((streams.size / fetchesPerSecond) * 1000);
    const text = lineOf({ within_ms: withinMs });
    for (const { socket } of streams) send(socket, text);
  }

  closeAll(): void {
    for (const { socket } of this.#all()) socket.destroySoon();
  }

  close(): void {
    clearInterval(this.#beat);
    this.closeAll();
  }

  #keepAlive(): void {
    const now = Date.now();
    for (const { socket, closesAt } of this.#all()) {
      if (closesAt <= now) socket.destroySoon();
      else send(socket, ':\n\n');
    }
  }

  #all(): Stream[] {
    return [...this.#byAccount.values()].flatMap((streams) => [...streams]);
  }

  #count({ voterId, network }: StreamOf, by: 1 | -1): void {
    this.#open += by;
    for (const key of [`voter ${voterId}`, `network ${network}`]) {
      const count = (this.#counts.get(key) ?? 0) + by;
      if (count === 0) this.#counts.delete(key);
      else this.#counts.set(key, count);
    }
  }
}

function send(socket: Socket, text: string): void {
  if (socket.writableLength > mostWaiting) socket.destroy();
  else socket.write(text);
}

function lineOf(event: LiveEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
