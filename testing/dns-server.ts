import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface TestDnsServer {
  /** As node's Resolver takes it. */
  readonly address: string;
  /** Texts of a name, each a TXT record. */
  readonly records: Map<string, readonly string[]>;
  close(): Promise<void>;
}

/** A DNS server on loopback that knows TXT records and nothing else (RFC 1035). */
export async function startDnsServer(): Promise<TestDnsServer> {
  const records = new Map<string, readonly string[]>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const { name, end } = readName(query, 12);
    const answers = (records.get(name) ?? []).map(writeTxt);
    const header = Buffer.from(query.subarray(0, 12));
    // Response, recursion available; NXDOMAIN where the name is unknown.
    header.writeUInt16BE(records.has(name) ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readName(packet: Buffer, at: number): { name: string; end: number } {
  const labels: string[] = [];
  let end = at;
  for (let length = packet[end] ?? 0; length > 0; length = packet[end] ?? 0) {
    labels.push(packet.toString('latin1', end + 1, end + 1 + length));
    end += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: end + 1 };
}

function writeTxt(text: string): Buffer {
  const strings = (text.match(/.{1,255}/gs) ?? ['']).map((part) =>
    Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')]),
  );
  const data = Buffer.concat(strings);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the question's name
  head.writeUInt16BE(16, 2); // TXT
  head.writeUInt16BE(1, 4); // IN
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
