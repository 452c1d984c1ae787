import { livePath } from '@ballot-beacon/contract/live';
import type { AccountId } from '../../platform/ids.ts';
import { listen } from '../../platform/listen.ts';
import type { Database } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import { ballotChanges, readLastImport } from '../ballots/index.ts';
import { networksOf, type VoterApi } from '../sessions/index.ts';
import { type StreamLimits, Streams } from './streams.ts';
import { createTakeConnection } from './take-connection.ts';

/**
 * Says to open dashboards that their office's ballots changed. A stream carries nothing of a voter, so that it
 * needs no look at the session until it opens again. 204 says that there is no room, or no way to learn of
 * changes: a browser then stops asking for a stream, and looks every minute.
 */
export function registerLiveRoutes(
  api: VoterApi,
  { database, limits }: { readonly database: Database; readonly limits?: StreamLimits },
): void {
  const streams = new Streams(limits);
  const takeConnection = createTakeConnection(api.app.server);
  const listening = listen(database.directUrl, ballotChanges, {
    onNotification: (payload) => streams.announce(Number(payload) as AccountId),
    onLost: () => streams.closeAll(),
  });
  // Before the server waits for its connections to end.
  api.app.addHook('preClose', async () => {
    streams.close();
    await listening.close();
  });

  api.app.get(livePath, { config: { isStream: true } }, async (request, reply) => {
    // A page that nobody looks at must not keep its session alive.
    const { session } = await api.visit(request, { isActivity: false });
    if (!session) throw problem(403, 'Session expired');
    const { site, voterId } = session;
    const of = {
      accountId: site.account.accountId,
      voterId,
      network: networksOf(request.ip)[0],
    };
    const asOf = await readLastImport(site.db);
    // Nothing waits between the look and the stream, so that many at once find no more room than there is.
    if (!listening.isListening() || !streams.hasRoom(of)) return reply.code(204).send();
    reply
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('x-accel-buffering', 'no'); // nginx would keep events back
    const socket = takeConnection(reply);
    if (socket) streams.add(of, socket, { as_of: asOf?.toISOString() ?? null });
    return reply;
  });
}
