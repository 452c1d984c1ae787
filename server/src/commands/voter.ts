import type { Command } from 'commander';
import { recordAudit } from '../modules/audit/index.ts';
import { type FullBallotRecord, readFullRecords } from '../modules/ballots/index.ts';
import { type ContactHistory, readContactHistory } from '../modules/notifications/index.ts';
import { type SavedPreferences, toSavedPreferences } from '../modules/preferences/index.ts';
import { unlockVoter } from '../modules/sessions/index.ts';
import { findVoterId, type RollEntry, readRollEntry } from '../modules/voters/index.ts';
import { loadSecrets } from '../platform/secrets.ts';
import { describeBallot } from './ballot.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';
import { formatDate, formatInstant } from './dates.ts';

/** As many messages as a clerk can read through during a call. */
const shownMessages = 50;

export function register(program: Command, context: CommandContext): void {
  const voter = program.command('voter').description('voters, for a clerk at the phone');
  voter
    .command('unlock')
    .description('let a voter sign in again after too many failed attempts; audited')
    .argument('<registration-id>', "the office's voter ID")
    .requiredOption('--account <subdomain>', 'whose voter')
    .action((registrationId: string, options: { account: string }) =>
      context.withDatabase(async (database, config) => {
        const { accountId } = await requireAccount(database, options.account);
        const voterId = await findVoterId(database.system, accountId, registrationId);
        if (voterId === undefined) throw noSuchVoter(registrationId, options.account);
        await recordAudit(database.system, accountId, {
          actor: context.operator,
          action: 'voter.unlock',
          target: String(voterId),
        });
        const db = database.forAccount(accountId);
        const count = await unlockVoter(db, loadSecrets(config), voterId);
        context.print(
          count === 0
            ? `Voter ${registrationId} was not locked. No failed attempts are on record.`
            : `Voter ${registrationId} can sign in again. The failed attempts were deleted.`,
        );
      }),
    );
  voter
    .command('show')
    .description(
      'everything on record about a voter: voter roll, choices, consents, messages, ballots; recorded in the audit log',
    )
    .argument('<registration-id>', "the office's voter ID")
    .requiredOption('--account <subdomain>', 'the account')
    .option('--json', 'as one JSON document')
    .action((registrationId: string, options: { account: string; json?: true }) =>
      context.withDatabase(async (database) => {
        const { accountId, timeZone } = await requireAccount(database, options.account);
        const voterId = await findVoterId(database.system, accountId, registrationId);
        const db = database.forAccount(accountId);
        const entry = voterId === undefined ? undefined : await readRollEntry(db, voterId);
        if (voterId === undefined || !entry) {
          throw noSuchVoter(registrationId, options.account);
        }
        // Recorded before anything is shown.
        await recordAudit(database.system, accountId, {
          actor: context.operator,
          action: 'voter.show',
          target: String(voterId),
        });
        const ballots = await readFullRecords(db, { voterId }, timeZone);
        if (entry.is_confidential) {
          const { registration_id, is_active, is_confidential } = entry;
          if (options.json) {
            const voter = { registration_id, is_active, is_confidential };
            return context.printJson({ voter, ballots });
          }
          context.print(
            `Voter ${registration_id} is confidential. Look up the details in the office's own system.`,
          );
        } else {
          const history = await readContactHistory(db, voterId, shownMessages);
          const { contacts, ...voter } = entry;
          const preferences = contacts && toSavedPreferences(contacts);
          if (options.json) return context.printJson({ voter, preferences, ...history, ballots });
          for (const line of describeVoter(entry, history, timeZone)) context.print(line);
        }
        context.print(describeBallots(ballots, timeZone));
      }),
    );
}

function noSuchVoter(registrationId: string, account: string): CommandError {
  return new CommandError(
    `Account ${account} has no voter with ID ${registrationId}. Did Excel drop the leading zeros?`,
  );
}

function describeVoter(entry: RollEntry, history: ContactHistory, timeZone: string): string[] {
  const name = [entry.firstname, entry.middlename, entry.lastname, entry.suffix];
  const place = [entry.address, entry.city, `${entry.state} ${entry.zipcode}`.trim()];
  const facts: [string, string | null][] = [
    ['Born', entry.birthdate ? formatDate(entry.birthdate) : String(entry.birthyear ?? '')],
    ['Address', place.filter(Boolean).join(', ')],
    ['County, precinct', [entry.county, entry.precinct].filter(Boolean).join(', ')],
    ['Phone on file', entry.phone],
    ['Email on file', entry.email],
    ['Language on file', entry.language_preference],
    ['Security token', entry.has_security_token ? 'has one' : null],
    ['Last changed by', entry.last_import_id === null ? null : `import ${entry.last_import_id}`],
  ];
  return [
    `Voter ${entry.registration_id}: ${name.filter(Boolean).join(' ')}${entry.is_active ? '' : ' (inactive: cannot sign in)'}`,
    ...table(facts),
    ...describePreferences(entry.contacts && toSavedPreferences(entry.contacts)),
    ...describeHistory(history, timeZone),
  ];
}

function describePreferences(chosen: SavedPreferences | null): string[] {
  if (chosen === null) return ['', 'Has not signed up for messages.'];
  const way = (isOn: boolean, address: string, more: string, hours: string | null) =>
    [isOn ? 'on' : 'off', address, address && more, hours && `from ${hours}`]
      .filter(Boolean)
      .join(', ');
  const proof = { true: 'confirmed', false: 'does not work', null: 'not confirmed yet' };
  return [
    '',
    chosen.is_confirmed ? 'Contact preferences' : 'Contact preferences, not confirmed yet',
    ...table([
      [
        'Email',
        way(
          chosen.email_opt_in,
          chosen.email,
          proof[`${chosen.is_valid_email}`],
          chosen.email_hours,
        ),
      ],
      ['Texts', way(chosen.sms_opt_in, chosen.phone_sms, chosen.sms_status, chosen.sms_hours)],
      [
        'Calls',
        way(
          chosen.voice_opt_in,
          chosen.phone_voice || chosen.pending_voice,
          chosen.phone_voice ? 'confirmed' : 'waiting for the voter’s call',
          chosen.voice_hours,
        ),
      ],
      ['Language', chosen.language_preference],
    ]),
  ];
}

function describeHistory(
  { consents, suppressions, messages }: ContactHistory,
  timeZone: string,
): string[] {
  const list = (title: string, rows: readonly string[]) =>
    rows.length === 0 ? [] : ['', title, ...rows.map((row) => `  ${row}`)];
  return [
    ...list(
      'No more messages to',
      suppressions.map(({ at, channel, address, reason }) =>
        [formatInstant(at, timeZone), channel, address, reason].join('  '),
      ),
    ),
    ...list(
      'Consents, newest first',
      consents.map(({ at, channel, address, action, source }) =>
        [formatInstant(at, timeZone), channel, address, action, `(${source})`].join('  '),
      ),
    ),
    ...list(
      'Messages, newest first',
      messages.map((one) =>
        [
          formatInstant(one.sent_at ?? one.deliver_after, timeZone),
          one.channel,
          one.address,
          one.status ?? one.kind,
          one.state,
          one.error_code ?? '',
        ]
          .join('  ')
          .trimEnd(),
      ),
    ),
  ];
}

function describeBallots(ballots: readonly FullBallotRecord[], timeZone: string): string {
  if (ballots.length === 0) return '\nNo ballot on record.';
  return ballots.map((ballot) => `\n${describeBallot(ballot, timeZone)}`).join('\n');
}

/** Rows without a value are left out. */
function table(rows: readonly [string, string | null][]): string[] {
  return rows
    .filter(([, value]) => value)
    .map(([label, value]) => `  ${label.padEnd(21)} ${value}`);
}
