import type { FullBallotRecord } from '../modules/ballots/index.ts';
import type { ContactHistory } from '../modules/notifications/index.ts';
import { type SavedPreferences, toSavedPreferences } from '../modules/preferences/index.ts';
import type { readNotes } from '../modules/voter-records/index.ts';
import type { RollEntry } from '../modules/voters/index.ts';
import { formatDate } from '../platform/clock.ts';
import { describeBallot } from './ballot.ts';
import { formatInstant } from './dates.ts';

/** What is on record about a voter, for a terminal; without the ballots. */
export function describeVoter(
  entry: RollEntry,
  history: ContactHistory,
  timeZone: string,
): string[] {
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

/** What clerks noted of the voter's calls, newest first. */
export function describeNotes(
  notes: Awaited<ReturnType<typeof readNotes>>,
  nameOf: (actor: string) => string,
  timeZone: string,
): string[] {
  if (notes.length === 0) return [];
  const rows = notes.map(({ at, noted_by, text }) =>
    [formatInstant(at, timeZone), nameOf(noted_by), text.replaceAll(/\s+/g, ' ')].join('  '),
  );
  return ['', 'Calls, newest first', ...rows.map((row) => `  ${row}`)];
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

export function describeBallots(ballots: readonly FullBallotRecord[], timeZone: string): string {
  if (ballots.length === 0) return '\nNo ballot on record.';
  return ballots.map((ballot) => `\n${describeBallot(ballot, timeZone)}`).join('\n');
}

/** Rows without a value are left out. */
function table(rows: readonly [string, string | null][]): string[] {
  return rows
    .filter(([, value]) => value)
    .map(([label, value]) => `  ${label.padEnd(21)} ${value}`);
}
