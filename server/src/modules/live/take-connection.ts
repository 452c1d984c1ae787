import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/**
 * Begins an answer without an end, and takes its connection from Node's HTTP server. What Node and Fastify keep for an answer that
 * is being written, the parser above all, is most of the memory of an idle stream (docs/decisions/137). The answer ends with
 * its connection (RFC 9112 §6.3).
 *
 * @returns undefined where the visitor is gone, or has sent another request behind this one
 */
export type TakeConnection = (reply: FastifyReply) => Socket | undefined;

export function createTakeConnection(server: Server): TakeConnection {
  const lastOf = new WeakMap<Socket, IncomingMessage>();
  server.on('request', (request: IncomingMessage) => lastOf.set(request.socket, request));

  return (reply) => {
    reply.hijack();
    const { raw } = reply;
    const { socket } = raw;
    if (!socket || raw.destroyed) return undefined;
    if (lastOf.get(socket) !== raw.req) {
      // Node would write the other answer into the stream.
      socket.destroy();
      return undefined;
    }
    lastOf.delete(socket);
    const head = writeHead(reply);
    // For Node the answer is over and the connection gone, so it releases both, with the parser.
    raw.emit('finish');
    socket.emit('close');
    socket.removeAllListeners();

    socket.setTimeout(0);
    socket.on('error', () => {}); // it closes then
    socket.on('end', () => socket.destroy());
    // A further request would get no answer.
    socket.on('data', () => socket.destroy());
    socket.write(head);
    return socket;
  };
}

/** Status line and headers; Node checks names and values as they are set. */
function writeHead(reply: FastifyReply): string {
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  raw.setHeader('connection', 'close');
  raw.setHeader('date', new Date().toUTCString());
  const lines = Object.entries(raw.getHeaders()).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => `${name}: ${value}\r\n`),
  );
  return `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`;
}
