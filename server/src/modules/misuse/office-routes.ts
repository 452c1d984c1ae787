import type { Database } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import type { Account } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { decideRequests, readSending } from '../notifications/index.ts';
import type { OfficeApi } from '../people/index.ts';
import { countSessions, endSessions } from '../sessions/index.ts';

/** What an office's administrators do when somebody misuses the voters' page, as `beacon sending` and `beacon session end` do. */
export function registerMisuseRoutes(
  api: OfficeApi,
  { database }: { readonly database: Database },
): void {
  // By the rights of voters' requests, which made these messages and sessions: the console's own do not reach them.
  const dbOf = (account: Account) => database.forAccount(account.accountId);

  api.answer('getMisuse', async ({ account, now }) => {
    const limits = account.settings.daily_request_limits;
    const sending = await readSending(dbOf(account), account);
    return {
      requests: sending.map(({ channel, today, waiting, voters, addresses, ...more }) => ({
        ...{ channel, today, limit: limits[channel], waiting, voters, addresses },
        first_at: more.firstAt?.toISOString() ?? null,
        last_at: more.lastAt?.toISOString() ?? null,
        last_id: more.lastId,
      })),
      sessions: await countSessions(dbOf(account), now),
    };
  });

  api.answer('decideRequests', ({ account, session, now }, { params, body }) =>
    dbOf(account)
      .transaction()
      .execute(async (tx) => {
        const messages = await decideRequests(
          tx,
          account,
          {
            ...{ channel: params.channel, isDiscarded: body.decision === 'discard' },
            lastId: body.last_id,
          },
          { actor: session.actor },
          now,
        );
        if (messages === 0)
          throw problem(409, 'None of these waits any more. Somebody may have decided on them.');
        return { messages };
      }),
  );

  api.answer('endVoterSessions', ({ account, session }, { body }) =>
    dbOf(account)
      .transaction()
      .execute(async (tx) => {
        const { accountId } = account;
        const ended = await endSessions(tx, accountId);
        await recordAudit(tx, accountId, {
          ...{ actor: session.actor, action: 'session.end', target: 'all' },
          details: { ended, reason: body.reason },
        });
        return { ended };
      }),
  );
}
