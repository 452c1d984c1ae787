import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface TestTimeServer {
  readonly port: number;
  /** By how much its clock is ahead of ours, in milliseconds. */
  aheadMs: number;
  /** Answers as if it had been asked something else. */
  isOfAnother: boolean;
  close(): Promise<void>;
}

/** A time server on loopback (SNTP, RFC 4330). */
export async function startTimeServer(): Promise<TestTimeServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const server: TestTimeServer = {
    port: socket.address().port,
    aheadMs: 0,
    isOfAnother: false,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
  socket.on('message', (query, { address, port }) => {
    const answer = Buffer.alloc(48);
    answer[0] = 0b00_100_100; // version 4, server
    answer[1] = 2; // stratum
    if (!server.isOfAnother) query.copy(answer, 24, 40, 48);
    const now = Date.now() + server.aheadMs;
    for (const at of [32, 40]) {
      answer.writeUInt32BE(Math.floor(now / 1000) + 2_208_988_800, at);
      answer.writeUInt32BE(Math.floor(((now % 1000) / 1000) * 2 ** 32), at + 4);
    }
    socket.send(answer, port, address);
  });
  return server;
}
