import { localDay } from '../../platform/clock.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Account, Election } from '../accounts/index.ts';
import { defects, findFixDeadline, listOfficeDeadlines, readClosures } from '../deadlines/index.ts';

/**
 * The day, `YYYY-MM-DD`, of the first deadline to fix an envelope of an election, whatever is wrong with it, as far as the office or the
 * law of its state says one; null where neither does. Until then nobody may reject an envelope for good that can be fixed.
 */
export async function findFirstDeadline(
  db: Db,
  account: Account,
  election: Election,
): Promise<string | null> {
  const { accountId, state, timeZone, settings } = account;
  const own = await listOfficeDeadlines(db, accountId);
  const deadlines = await Promise.all(
    defects.map((defect) =>
      findFixDeadline({
        ...{ state, timeZone, defect, election, discoveredOn: null, receivedOn: null },
        closures: readClosures(settings.envelope_fix.closed),
        officeDeadline:
          own.find((one) => one.electionId === election.electionId && one.defect === defect) ??
          null,
      }),
    ),
  );
  const days = deadlines.flatMap(({ at }) =>
    at === null ? [] : [localDay(new Date(at), timeZone)],
  );
  return days.sort()[0] ?? null;
}
