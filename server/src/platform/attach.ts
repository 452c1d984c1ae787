import type { FastifyReply } from 'fastify';

/** The browser saves the answer under this name, or shows it in a page, but never opens it as a page of its own. */
export function attachAs(reply: FastifyReply, name: string): void {
  reply.header('content-disposition', `attachment; filename="${name}"`);
}
