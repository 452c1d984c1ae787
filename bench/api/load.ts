import { connect, type Socket } from 'node:net';

/** An HTTP/1.1 client for measuring: requests are prepared bytes, of an answer only the head and the length are read. */

export interface Answered {
  /** 0: none. */
  readonly status: number;
  readonly ms: number;
  /** Of the request. */
  readonly kind: string;
}

export interface PreparedRequest {
  readonly kind: string;
  readonly bytes: Buffer;
}

const headEnd = Buffer.from('\r\n\r\n');

/** One kept-alive connection, for one request at a time. */
class Connection {
  readonly #socket: Socket;
  #heard: Buffer = Buffer.alloc(0);
  #onAnswer: ((status: number) => void) | undefined;
  isOpen = true;

  constructor(port: number, onIdle: (connection: Connection) => void) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (data) => {
      this.#heard = this.#heard.length === 0 ? data : Buffer.concat([this.#heard, data]);
      this.#read(onIdle);
    });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.isOpen = false;
      this.#end(0);
    });
  }

  send(bytes: Buffer, onAnswer: (status: number) => void): void {
    this.#onAnswer = onAnswer;
    this.#socket.write(bytes);
  }

  close(): void {
    this.#socket.destroy();
  }

  #end(status: number): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = undefined;
    onAnswer?.(status);
  }

  #read(onIdle: (connection: Connection) => void): void {
    const end = this.#heard.indexOf(headEnd);
    if (end < 0) return;
    const head = this.#heard.toString('latin1', 0, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (this.#heard.length < end + headEnd.length + length) return;
    this.#heard = this.#heard.subarray(end + headEnd.length + length);
    if (/^connection: close/im.test(head)) {
      this.isOpen = false;
      this.#socket.destroy();
    }
    this.#end(Number(head.slice(9, 12)));
    if (this.isOpen) onIdle(this);
  }
}

/** Makes the next request. */
export type NextRequest = () => PreparedRequest;

/** How long somebody waits who was asked to come back. */
const comeBackMs = 250;

/**
 * Each connection asks again as soon as it is answered, and a little later where the server was busy. A server closes a connection on which nobody
 * asked for a while, as a generator does that got no turn: as a browser would, it opens another. One that is closed without any answer counts as a
 * wrong answer, of status 0.
 */
export async function loadClosed(
  port: number,
  next: NextRequest,
  { connections, ms }: { readonly connections: number; readonly ms: number },
): Promise<Answered[]> {
  const answers: Answered[] = [];
  const until = performance.now() + ms;
  const one = () =>
    new Promise<void>((resolve) => {
      let connection = new Connection(port, () => {});
      let isUsed = false;
      const askAnew = (request: PreparedRequest, startedAt: number) => {
        connection = new Connection(port, () => {});
        isUsed = false;
        ask(request, startedAt);
      };
      const ask = (request = next(), startedAt = performance.now()) => {
        if (startedAt >= until) {
          connection.close();
          return resolve();
        }
        if (!connection.isOpen) return askAnew(request, startedAt);
        connection.send(request.bytes, (status) => {
          if (status === 0 && isUsed) return askAnew(request, startedAt);
          isUsed = true;
          answers.push({ kind: request.kind, status, ms: performance.now() - startedAt });
          if (status === 503 || status === 0) setTimeout(ask, comeBackMs);
          // Not within the reading of the answer.
          else setImmediate(ask);
        });
      };
      ask();
    });
  await Promise.all(Array.from({ length: connections }, one));
  return answers;
}

/**
 * Requests come at a rate, whatever became of those before, as people do. A request without a free connection opens one; so does one
 * whose kept connection is closed at that moment, as a browser would.
 * Times count from the moment at which the request was due.
 */
export async function loadOpen(
  port: number,
  next: NextRequest,
  { perSecond, ms }: { readonly perSecond: number; readonly ms: number },
): Promise<Answered[]> {
  const answers: Answered[] = [];
  const idle: Connection[] = [];
  const openNew = () => new Connection(port, (one) => void idle.push(one));
  let open = 0;
  const startedAt = performance.now();
  let sent = 0;
  const send = (dueAt: number) => {
    open += 1;
    let kept = idle.pop();
    while (kept && !kept.isOpen) kept = idle.pop();
    const { kind, bytes } = next();
    const ask = (connection: Connection, isKept: boolean) =>
      connection.send(bytes, (status) => {
        if (status === 0 && isKept) return ask(openNew(), false);
        open -= 1;
        answers.push({ kind, status, ms: performance.now() - dueAt });
      });
    ask(kept ?? openNew(), kept !== undefined);
  };
  while (performance.now() - startedAt < ms) {
    const due = ((performance.now() - startedAt) * perSecond) / 1000;
    for (; sent < due; sent += 1) send(startedAt + (sent * 1000) / perSecond);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const patientUntil = performance.now() + 30_000;
  while (open > 0 && performance.now() < patientUntil)
    await new Promise((resolve) => setTimeout(resolve, 10));
  for (let left = open; left > 0; left -= 1)
    answers.push({ kind: 'unanswered', status: 0, ms: 30_000 });
  for (const connection of idle) connection.close();
  return answers;
}

/** @param share 0 to 1 @returns milliseconds; 0 of nothing */
export function percentile(answers: readonly Answered[], share: number): number {
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return Math.round(times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0);
}

export function countByStatus(answers: readonly Answered[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
