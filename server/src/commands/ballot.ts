import type { Command } from 'commander';
import { keyOfElection } from '../modules/accounts/index.ts';
import { recordAudit } from '../modules/audit/index.ts';
import {
  type FullBallotRecord,
  type RecordedEvent,
  readFullRecords,
} from '../modules/ballots/index.ts';
import { findVoterId, findVoterIdByDigits } from '../modules/voters/index.ts';
import { formatDate } from '../platform/clock.ts';
import type { BallotId } from '../platform/ids.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';
import { formatInstant, formatWhen } from './dates.ts';

interface ShowOptions {
  readonly account: string;
  readonly election?: string;
  readonly json?: true;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('ballot')
    .description('ballots, for a clerk on the phone with a voter')
    .command('show')
    .description('where a ballot is, and everything on record about it; recorded in the audit log')
    .argument('<id>', "the office's voter ID, or a ballot's internal number from beacon voter show")
    .requiredOption('--account <subdomain>', 'the account')
    .option('--election <number>', 'only the ballots of this election')
    .option('--json', 'as one JSON document')
    .action((id: string, options: ShowOptions) =>
      context.withDatabase(async (database) => {
        const { accountId, timeZone } = await requireAccount(database, options.account);
        const db = database.forOffice(accountId);
        const exactly = await findVoterId(database.system, accountId, id);
        const byNumber =
          exactly === undefined && /^\d{1,15}$/.test(id)
            ? await readFullRecords(db, { ballotId: Number(id) as BallotId }, timeZone)
            : [];
        const voterId =
          exactly ??
          (byNumber.length === 0
            ? await findVoterIdByDigits(database.system, accountId, id)
            : undefined);
        const found =
          voterId === undefined ? byNumber : await readFullRecords(db, { voterId }, timeZone);
        if (voterId === undefined && found.length === 0) {
          throw new CommandError(
            `No voter and no ballot ${id} in ${options.account}. Use the office's voter ID. Did Excel drop the leading zeros?`,
          );
        }
        const ballots = found.filter(
          ({ election_number }) =>
            options.election === undefined ||
            keyOfElection(election_number) === keyOfElection(options.election),
        );
        if (ballots.length === 0) {
          const where = options.election === undefined ? '' : ` in election ${options.election}`;
          throw new CommandError(`Voter ${id} has no ballot on record${where}.`);
        }
        // Recorded before anything is shown.
        await recordAudit(database.system, accountId, {
          actor: context.operator,
          action: 'ballot.show',
          target: ballots.map(({ ballot_id }) => ballot_id).join(' '),
        });
        if (options.json) return context.printJson(ballots);
        context.print(ballots.map((ballot) => describeBallot(ballot, timeZone)).join('\n\n'));
      }),
    );
}

const kinds: Readonly<Record<RecordedEvent['kind'], string>> = {
  office: 'Office record',
  print: 'Mail house',
  scan: 'USPS scan',
  estimate: 'Estimate',
};

const summaries: Readonly<Record<NonNullable<FullBallotRecord['shown']>['summary'], string>> = {
  'in-progress': 'in progress',
  complete: 'finished',
  halted: 'stopped',
};

/** A ballot with its events, for a terminal. */
export function describeBallot(ballot: FullBallotRecord, timeZone: string): string {
  const { events } = ballot;
  const number = ballot.ballot_number === '' ? '' : ` ${ballot.ballot_number}`;
  const expected = (label: string, date: string | null) =>
    date === null ? [] : [`  ${label} ${formatDate(date)}`];
  return [
    `Ballot${number} (internal no. ${ballot.ballot_id}) of voter ${ballot.registration_id}: ${ballot.election_name} (${ballot.election_number}), ${formatDate(ballot.election_date)}${ballot.election_is_active ? '' : ', over'}`,
    `  ${describeShown(ballot, timeZone)}`,
    ...expected('Expected at the voter', ballot.outbound_expected_delivery_date),
    ...expected('Expected at the office', ballot.inbound_expected_delivery_date),
    ...(events.length === 0 ? ['  Nothing else on record.'] : []),
    ...events.map((event) => `  ${describeEvent(event, timeZone)}`),
  ].join('\n');
}

function describeShown({ shown, is_ended }: FullBallotRecord, timeZone: string): string {
  if (shown === null)
    return 'The voter sees no such ballot: only a file had it that was corrected.';
  const { status, when, summary } = shown;
  return `${is_ended ? 'The voter sees only their other ballot, which is finished. This one is' : 'The voter sees'}: ${status}${when === null ? '' : ` since ${formatWhen(when, timeZone)}`} (${summaries[summary]})`;
}

function describeEvent(event: RecordedEvent, timeZone: string): string {
  const { status, raw_status, reason, reason_code, scan } = event;
  const when = event.occurred_at
    ? formatInstant(event.occurred_at, timeZone)
    : event.occurred_on
      ? formatDate(event.occurred_on)
      : 'no date';
  const source =
    event.import_id === null
      ? 'no file'
      : `${event.file_name ?? 'a file'}${event.source_line === null ? '' : ` line ${event.source_line}`} (import ${event.import_id}${event.is_withdrawn ? ', corrected: no longer counts' : ''})`;
  return [
    when.padEnd(23),
    kinds[event.kind].padEnd(13),
    (status ?? 'not known').padEnd(18),
    [
      raw_status && `“${raw_status}”`,
      [reason_code, reason].filter(Boolean).join(' '),
      scan && `op ${scan.op_code} ${scan.place}`.trim(),
      `from ${source}`,
      `recorded ${formatInstant(event.recorded_at, timeZone)}`,
    ]
      .filter(Boolean)
      .join(', '),
  ].join(' ');
}
