import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

const slowestAnswerMs = 200;
const slowestReportMs = 3_000;
export const smsToken = 'a-token-of-the-chaos-provider';

export interface ProviderStubs {
  readonly smtpUrl: string;
  readonly smsUrl: string;
  /** How often each reference was taken. */
  readonly mails: Map<string, number>;
  readonly texts: Map<string, number>;
  /** When each reference was taken last, in milliseconds. */
  readonly takenAt: ReadonlyMap<string, number>;
  /** Texts whose delivery is reported. */
  readonly reported: ReadonlySet<string>;
  repeats(): number;
  /** Everything taken so far. */
  taken(): number;
  close(): Promise<void>;
}

/**
 * A mail server and a text gateway that keep what they accept and answer a while later, so that kills fall between
 * the two; the gateway recognizes repeats and reports deliveries.
 */
export async function createProviderStubs(random: () => number): Promise<ProviderStubs> {
  const mails = new Map<string, number>();
  const texts = new Map<string, number>();
  const takenAt = new Map<string, number>();
  const reported = new Set<string>();
  let repeats = 0;
  let isClosing = false;
  const count = (taken: Map<string, number>, reference: string): void => {
    taken.set(reference, (taken.get(reference) ?? 0) + 1);
    takenAt.set(reference, Date.now());
  };

  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const reference = /^X-Beacon-Message: (\S+)/m.exec(Buffer.concat(parts).toString())?.[1];
        if (reference !== undefined) count(mails, reference);
        setTimeout(done, random() * slowestAnswerMs);
      });
    },
  });
  smtp.on('error', () => {}); // a killed worker's connection breaks
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));

  const report = async (callback: string): Promise<void> => {
    await wait(random() * slowestReportMs);
    while (!isClosing) {
      const answer = await fetch(callback, {
        method: 'POST',
        headers: { authorization: `Bearer ${smsToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'delivered' }),
      }).catch(() => undefined);
      if (answer?.status === 204) return;
      await wait(500);
    }
  };
  const gateway = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => {});
    request.on('end', () => {
      const key = String(request.headers['idempotency-key']);
      const { callback } = JSON.parse(Buffer.concat(parts).toString()) as { callback: string };
      if (texts.has(key)) repeats += 1;
      else {
        count(texts, key);
        // Of the others we never hear: what a crash left open is settled by handing the text over again.
        if (random() < 0.7) {
          reported.add(key);
          void report(callback);
        }
      }
      setTimeout(() => {
        response.writeHead(202, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ id: `taken-${key}` }));
      }, random() * slowestAnswerMs);
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));

  return {
    smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    smsUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/`,
    mails,
    texts,
    takenAt,
    reported,
    repeats: () => repeats,
    taken: () => mails.size + texts.size,
    async close() {
      isClosing = true;
      gateway.closeAllConnections();
      await new Promise((resolve) => gateway.close(resolve));
      await new Promise<void>((resolve) => smtp.close(resolve));
    },
  };
}
