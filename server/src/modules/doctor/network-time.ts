import { createSocket } from 'node:dgram';

const secondsFrom1900To1970 = 2_208_988_800;
const patienceMs = 3_000;

/**
 * Asks a time server (SNTP, RFC 4330) how far this machine's clock is off.
 *
 * @returns milliseconds by which our clock is ahead; undefined when there is no usable answer
 */
export function askClockOffset(host: string, port = 123): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const finish = (offset: number | undefined) => {
      clearTimeout(timer);
      socket.close();
      resolve(offset);
    };
    const timer = setTimeout(() => finish(undefined), patienceMs);
    const request = Buffer.alloc(48);
    request[0] = 0b00_100_011; // version 4, client
    const sentAt = Date.now();
    request.writeBigUInt64BE(BigInt(sentAt), 40); // the server sends it back
    socket.once('error', () => finish(undefined));
    socket.once('message', (answer) => {
      const receivedAt = Date.now();
      const isAnswer = answer.length >= 48 && ((answer[0] ?? 0) & 7) === 4 && answer[1] !== 0;
      if (!isAnswer || !answer.subarray(24, 32).equals(request.subarray(40)))
        return finish(undefined);
      finish((sentAt + receivedAt) / 2 - (readTime(answer, 32) + readTime(answer, 40)) / 2);
    });
    socket.send(request, port, host, (error) => {
      if (error) finish(undefined);
    });
  });
}

/** Milliseconds since 1970. */
function readTime(packet: Buffer, at: number): number {
  const seconds = packet.readUInt32BE(at) - secondsFrom1900To1970;
  return seconds * 1000 + (packet.readUInt32BE(at + 4) / 2 ** 32) * 1000;
}
