import type {
  ArchiveBallotAnswer,
  Ballot,
  BallotStatusProgress,
  NoBallotStatus,
  StoppedBallot,
} from '@ballot-beacon/contract/ballot-status-progress';
import { formatsFor } from '@ballot-beacon/contract/formats';
import type { Language } from '@ballot-beacon/contract/languages';
import { leadsTooLate } from '@ballot-beacon/contract/return-deadline';
import type { Translate } from '@ballot-beacon/contract/translate';
import type { BallotId, VoterId } from '../../platform/ids.ts';
import type { AccountSite, Site } from '../sites/index.ts';
import { describeFix, findProblem } from './fix.ts';
import { readFixRecord } from './fix-store.ts';
import { presentBallot, presentPastBallot } from './present.ts';
import { findEndedBallots } from './rivals.ts';
import { describeStop, findStoppedMail } from './stopped.ts';
import { type BallotRecord, readBallots, readBallotsAndLastImport } from './store.ts';

/** The voter's ballots in active elections that no other ballot of the voter has ended, with texts in the language. */
export async function readBallotProgress(
  site: AccountSite,
  voterId: VoterId,
  language: Language,
  now: Date,
): Promise<BallotStatusProgress> {
  const { records, lastImport } = await readBallotsAndLastImport(site.db, {
    ...{ voterId, isElectionActive: true, timeZone: site.account.timeZone },
  });
  const how = presentationOf(site, language, now);
  const shown = withoutEnded(records);
  const stopped = await readStopped(site, shown, how, now);
  const ballots = await Promise.all(
    shown.map(async (record) =>
      presentBallot(record, how, {
        fix: await readFix(site, record, how.translate, now),
        stopped: stopped.get(record.ballotId) ?? null,
      }),
    ),
  );
  return {
    ballots: ballots.sort((a, b) => Number(needsPerson(b)) - Number(needsPerson(a))),
    as_of: lastImport?.toISOString() ?? null,
    answered_at: now.toISOString(),
  };
}

/** The envelopes that stopped moving in the mail, where the office shows that. */
async function readStopped(
  site: AccountSite,
  records: readonly BallotRecord[],
  how: ReturnType<typeof presentationOf>,
  now: Date,
): Promise<ReadonlyMap<BallotId, StoppedBallot | null>> {
  if (!site.account.settings.stopped_mail.page) return new Map();
  const found = await findStoppedMail(site.db, site.account, records, now);
  return new Map(
    records.map((record) => {
      const stopped = found.get(record.ballotId);
      return [
        record.ballotId,
        stopped ? describeStop(site.account, record, stopped, how, now) : null,
      ];
    }),
  );
}

/** How to fix the problem with the envelope, if there is one. */
async function readFix(site: AccountSite, record: BallotRecord, translate: Translate, now: Date) {
  const problem = findProblem(record.events);
  if (!problem) return null;
  const found = await readFixRecord(site.db, { ...problem, ballotId: record.ballotId });
  return found ? describeFix(site.account, problem, found, translate, now) : null;
}

/**
 * The voter's ballots in elections that are over, each election with one answer.
 *
 * @param page of this size; -1 for all
 */
export async function readArchive(
  site: AccountSite,
  voterId: VoterId,
  language: Language,
  { pageSize, now }: { readonly pageSize: number; readonly now: Date },
): Promise<ArchiveBallotAnswer> {
  const records = withoutEnded(
    await readBallots(site.db, {
      ...{ voterId, isElectionActive: false, timeZone: site.account.timeZone },
    }),
  );
  const shown = pageSize < 0 ? records : records.slice(0, pageSize);
  const how = presentationOf(site, language, now);
  return {
    _embedded: { ballot: shown.map((record) => presentPastBallot(record, how)) },
    page_size: pageSize,
    total_items: records.length,
  };
}

function withoutEnded(records: readonly BallotRecord[]): readonly BallotRecord[] {
  const ended = findEndedBallots(records);
  return records.filter(({ ballotId }) => !ended.has(ballotId));
}

/** The office's own text for a voter without a current ballot, or else the product's. */
export function readNoBallotStatus(site: Site, language: Language): NoBallotStatus {
  const own = site.kind === 'account' ? site.noBallotMessages[language] : undefined;
  const translate = site.texts.translator(language);
  return {
    language,
    title: own?.title ?? translate('noBallot.title'),
    description: own?.description ?? translate('noBallot.description'),
  };
}

function presentationOf(site: AccountSite, language: Language, now: Date) {
  const formats = formatsFor(language, site.account.timeZone);
  return {
    now,
    translate: site.texts.translator(language),
    isDatesVisible: site.account.settings.is_ballot_status_dates_visible,
    isCountingReported: site.account.settings.reports_counted,
    writeDeadline: (at: string, timeZone: string) => formatsFor(language, timeZone).deadline(at),
    writeDay: (day: string) => formats.weekday(day),
    isTooLate: (status: string, { returnDeadline: deadline, electionDate }: BallotRecord) =>
      leadsTooLate(status, { deadline, electionDate }, now, formats),
  };
}

/** Whether only a person can help this ballot on: it comes before the others. */
function needsPerson({ status_summary }: Ballot): boolean {
  return status_summary.status === 'halted';
}
