import type { AccountId } from '../../platform/ids.ts';
import type { Db, Tx } from '../../platform/postgres.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { readClosures } from './calendar.ts';
import {
  type FixDeadline,
  type FixElection,
  findFixDeadline,
  type OfficeDeadline,
} from './fix-deadline.ts';
import {
  type KeptDeadline,
  listOfficeDeadlines,
  removeOfficeDeadline,
  setOfficeDeadline,
} from './office-deadline-store.ts';
import { type Defect, defects } from './rule.ts';
import { isLikelyFixDay } from './rules.ts';

/** What the office and its state say about one problem in one election, of an envelope of which no day is on record. */
export interface ElectionDeadline<Election> {
  readonly election: Election;
  readonly defect: Defect;
  /** What voters read. */
  readonly deadline: FixDeadline;
  /** The same without what the office set. */
  readonly law: FixDeadline;
  readonly own: KeptDeadline | null;
}

interface OfficeOfElections {
  readonly accountId: AccountId;
  readonly state: string;
  readonly timeZone: string;
  readonly settings: { readonly envelope_fix: { readonly closed: readonly string[] } };
}

/** Until when each problem can be fixed in each of these elections, and what is missing. */
export async function readElectionDeadlines<
  Election extends FixElection & { readonly electionId: number },
>(
  db: Db,
  { accountId, state, timeZone, settings }: OfficeOfElections,
  elections: readonly Election[],
): Promise<ElectionDeadline<Election>[]> {
  const set = await listOfficeDeadlines(db, accountId);
  const closures = readClosures(settings.envelope_fix.closed);
  const about = elections.flatMap((election) => defects.map((defect) => ({ election, defect })));
  return Promise.all(
    about.map(async ({ election, defect }) => {
      const own =
        set.find((one) => one.electionId === election.electionId && one.defect === defect) ?? null;
      const find = (officeDeadline: OfficeDeadline | null) =>
        findFixDeadline({
          ...{ state, timeZone, closures, defect, election, officeDeadline },
          ...{ discoveredOn: null, receivedOn: null },
        });
      const law = await find(null);
      return { election, defect, law, own, deadline: own ? await find(own) : law };
    }),
  );
}

/**
 * A deadline that the office set and that would be wrong if the election moved to a day: voters would read that their time is over, or has
 * weeks to go.
 *
 * @returns the deadline's own day, `YYYY-MM-DD` as the other; null when all fit, or the election stays where it is
 */
export async function findStrayDeadline(
  db: Db,
  accountId: AccountId,
  { electionId, electionDate }: { readonly electionId: number; readonly electionDate: string },
  day: string,
): Promise<string | null> {
  if (day === electionDate) return null;
  const set = await listOfficeDeadlines(db, accountId);
  const stray = set.find(
    (own) => own.electionId === electionId && !isLikelyFixDay(own.endsOn, day),
  );
  return stray?.endsOn ?? null;
}

export interface DeadlineChange {
  readonly defect: Defect;
  /** Null: the rule of the state applies again. */
  readonly own: (OfficeDeadline & { readonly reason: string }) | null;
}

/**
 * Lays deadlines of the office over the rule of its state, or takes them away, and records from what to what. What is
 * so already stays as it is.
 *
 * @returns how many were changed
 */
export async function changeOfficeDeadlines(
  tx: Tx,
  accountId: AccountId,
  election: { readonly electionId: number; readonly number: string },
  changes: readonly DeadlineChange[],
  actor: Actor,
): Promise<number> {
  const { electionId, number: target } = election;
  const set = await listOfficeDeadlines(tx, accountId);
  const before = new Map(
    set.filter((one) => one.electionId === electionId).map((one) => [one.defect, one]),
  );
  const real = changes.filter(
    ({ defect, own }) => describe(before.get(defect) ?? null) !== describe(own),
  );
  for (const { defect, own } of real) {
    if (own) await setOfficeDeadline(tx, accountId, { electionId, defect, ...own, setBy: actor });
    else await removeOfficeDeadline(tx, electionId, defect);
  }
  for (const alike of Map.groupBy(real, ({ own }) => describe(own)).values()) {
    const own = alike[0]?.own ?? null;
    const about = alike.map(({ defect }) => defect);
    const was = about.flatMap((defect) => {
      const one = before.get(defect);
      return one ? [`${defect}: ${describe(one)}`] : [];
    });
    await recordAudit(tx, accountId, {
      ...{ actor, action: own ? 'deadline.set' : 'deadline.unset', target },
      details: {
        ...(own && { endsOn: own.endsOn, endsAt: own.endsAt, reason: own.reason }),
        defect: about.length === defects.length ? 'all' : about.join(', '),
        ...(was.length > 0 && { from: was }),
      },
    });
  }
  return real.length;
}

function describe(own: DeadlineChange['own']): string {
  return own ? `${own.endsOn} ${own.endsAt} (${own.reason})` : '';
}
