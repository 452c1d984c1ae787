import type { FastifyInstance } from 'fastify';
import type { Database } from '../../platform/postgres.ts';
import { listHeads } from './chain-store.ts';

const shown = 400;

/** The heads of the audit's chain, for anybody to keep: a kept head shows later whether the past was changed. */
export function registerAuditRoutes(app: FastifyInstance, database: Database): void {
  app.get('/api/audit-head', async (_request, reply) => {
    const heads = await listHeads(database.unscoped, shown);
    return reply.header('cache-control', 'public, max-age=300').send({ heads });
  });
}
