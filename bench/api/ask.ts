import { connect } from 'node:net';

/** A whole answer. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

const headEnd = '\r\n\r\n';

/** One request on a connection of its own, and all of its answer. */
export function ask(port: number, request: Buffer): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The server hung up.')));
    socket.on('data', (data) => {
      parts.push(data);
      const heard = Buffer.concat(parts);
      const end = heard.indexOf(headEnd);
      if (end < 0) return;
      const [first = '', ...lines] = heard.toString('latin1', 0, end).split('\r\n');
      const headers = lines.map((line): [string, string] => {
        const [name = ''] = line.split(':', 1);
        return [name.toLowerCase(), line.slice(name.length + 1).trim()];
      });
      const length = Number(headers.find(([name]) => name === 'content-length')?.[1] ?? 0);
      const body = heard.subarray(end + headEnd.length);
      if (body.length < length) return;
      resolve({ status: Number(first.slice(9, 12)), headers, body });
      socket.destroy();
    });
  });
}
