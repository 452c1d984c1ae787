import { createHash } from 'node:crypto';
import type { ElectionDeadlines } from '@ballot-beacon/contract/office/fix-deadlines';
import { formatDate } from '../../platform/clock.ts';
import type { Db } from '../../platform/postgres.ts';
import { problem, refuseField } from '../../platform/problem.ts';
import { type Account, type Election, listElections } from '../accounts/index.ts';
import {
  changeOfficeDeadlines,
  type ElectionDeadline,
  isLikelyFixDay,
  readElectionDeadlines,
} from '../deadlines/index.ts';
import { nameActors, type OfficeApi } from '../people/index.ts';
import { lockElections, requireElection } from './election-routes.ts';

/** Until when envelopes can be fixed: the rule of the state, and what the office lays over it, as `beacon cure` does. */
export function registerDeadlineRoutes(api: OfficeApi): void {
  api.answer('listFixDeadlines', async ({ db, account }) => {
    const elections = await listElections(db, account.accountId);
    const active = elections.filter(({ isActive }) => isActive).toReversed();
    const found = await readElectionDeadlines(db, account, active);
    const setBy = found.flatMap(({ own }) => own?.setBy ?? []);
    const nameOf = await nameActors(db, setBy);
    return {
      state: account.state,
      elections: active.map((election) =>
        showElection(
          election,
          found.filter((one) => one.election === election),
          nameOf,
        ),
      ),
    };
  });

  api.answer('changeFixDeadlines', ({ db, account, session }, { params, body }) =>
    db.transaction().execute(async (tx) => {
      const all = await lockElections(tx, account.accountId);
      const election = requireElection(all, params.election_id);
      if (body.version !== (await readVersion(tx, account, election)))
        throw problem(
          409,
          'Somebody changed a deadline of this election meanwhile. Load the page again.',
        );
      const changes = body.changes.map(({ defect, own }) => ({
        defect,
        own: own && { endsOn: own.ends_on, endsAt: own.ends_at, reason: own.reason },
      }));
      for (const { own } of changes)
        if (own && !isLikelyFixDay(own.endsOn, election.electionDate))
          throw refuseField(
            'ends_on',
            `Check this day: the time to fix an envelope of an election on ${formatDate(election.electionDate)} cannot end on ${formatDate(own.endsOn)}.`,
            'unlikely',
          );
      await changeOfficeDeadlines(tx, account.accountId, election, changes, session.actor);
      return { version: await readVersion(tx, account, election) };
    }),
  );
}

async function readVersion(db: Db, account: Account, election: Election): Promise<string> {
  return versionOf(await readElectionDeadlines(db, account, [election]));
}

/** Of all that the office has set for one election. */
function versionOf(found: readonly ElectionDeadline<Election>[]): string {
  const set = found.map(({ own }) => own && [own.endsOn, own.endsAt, own.reason, own.setBy]);
  return createHash('sha256').update(JSON.stringify(set)).digest('base64url');
}

function showElection(
  { electionId, number, name, electionDate }: Election,
  found: readonly ElectionDeadline<Election>[],
  nameOf: (actor: string) => string,
): ElectionDeadlines {
  return {
    ...{ election_id: electionId, number, name, election_date: electionDate },
    version: versionOf(found),
    deadlines: found.map(({ defect, law: { at, missing, rule }, own }) => ({
      defect,
      law: {
        at,
        missing: [...missing],
        rule: rule && {
          ...{ source: rule.source, checked_on: rule.checkedOn, note: rule.note ?? null },
        },
      },
      own: own && {
        ...{ ends_on: own.endsOn, ends_at: own.endsAt, reason: own.reason },
        ...{ who: nameOf(own.setBy), set_at: own.setAt.toISOString() },
      },
    })),
  };
}
