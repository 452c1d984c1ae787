import { mayDo } from '@ballot-beacon/contract/office/roles';
import type { VoterRecord } from '@ballot-beacon/contract/office/voters';
import type { VoterId } from '../../platform/ids.ts';
import { problem } from '../../platform/problem.ts';
import { recordAudit } from '../audit/index.ts';
import { type FullBallotRecord, readFullRecords } from '../ballots/index.ts';
import { readContactHistory } from '../notifications/index.ts';
import type { OfficeApi } from '../people/index.ts';
import { type RollEntry, readRollEntry } from '../voters/index.ts';
import { findForClerk } from './search.ts';

const shownMessages = 50;

/** Finding a voter, and what is on record about the voter's ballots and messages. Each look is in the audit. */
export function registerVoterRecordRoutes(api: OfficeApi): void {
  api.answer('findVoters', ({ db, account, session }, { body }) =>
    findForClerk(db, account.accountId, body.text, {
      actor: session.actor,
      mayFindConfidential: mayDo(session.roles, 'confidential'),
    }),
  );

  api.answer('getVoterRecord', async ({ db, account, session }, { params }) => {
    const voterId = params.voter_id as VoterId;
    const entry = await readRollEntry(db, voterId);
    const isShown = entry && (!entry.is_confidential || mayDo(session.roles, 'confidential'));
    if (!isShown) throw problem(404, 'This voter is not on the roll of this office.');
    const { registration_id, is_active, is_confidential } = entry;
    // Recorded before anything is shown.
    await recordAudit(db, account.accountId, {
      actor: session.actor,
      action: 'voter.show',
      target: String(voterId),
      ...(is_confidential && { details: { confidential: true } }),
    });
    const ballots = await readFullRecords(db, { voterId }, account.timeZone);
    const history = is_confidential ? null : await readContactHistory(db, voterId, shownMessages);
    return {
      voter_id: voterId,
      registration_id,
      is_active,
      is_confidential,
      details: is_confidential ? [] : listDetails(entry),
      ballots: ballots.map(showBallot),
      messages: (history?.messages ?? []).map((one) => ({
        at: (one.sent_at ?? one.deliver_after).toISOString(),
        channel: one.channel,
        address: one.address,
        what: one.status ?? one.kind,
        state: one.state,
        error: one.error_code,
      })),
      consents: (history?.consents ?? []).map(({ at, channel, address, action, source }) => ({
        ...{ at: at.toISOString(), channel, address, action, source },
      })),
    };
  });
}

function listDetails(entry: RollEntry): VoterRecord['details'] {
  const join = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ');
  return [
    { name: 'name', value: join(entry.firstname, entry.middlename, entry.lastname, entry.suffix) },
    { name: 'born', value: entry.birthdate ?? String(entry.birthyear ?? '') },
    { name: 'address', value: join(entry.address, entry.city, entry.state, entry.zipcode) },
    { name: 'county', value: join(entry.county, entry.precinct) },
    { name: 'phone', value: entry.phone ?? '' },
    { name: 'email', value: entry.email },
    { name: 'language', value: entry.language_preference ?? '' },
  ].filter(({ value }) => value !== '');
}

function showBallot(ballot: FullBallotRecord): VoterRecord['ballots'][number] {
  return {
    ballot_id: ballot.ballot_id,
    ballot_number: ballot.ballot_number,
    election: ballot.election_name,
    election_date: ballot.election_date,
    status: ballot.shown.status ?? null,
    is_ended: ballot.is_ended,
    events: ballot.events.map((event) => ({
      when: event.occurred_on ?? event.occurred_at?.toISOString() ?? null,
      recorded_at: event.recorded_at.toISOString(),
      kind: event.kind,
      status: event.status,
      raw_status: event.raw_status,
      reason: event.reason,
      source: [event.file_name, event.source_line && `line ${event.source_line}`, event.scan?.place]
        .filter(Boolean)
        .join(', '),
      is_withdrawn: event.is_withdrawn,
    })),
  };
}
