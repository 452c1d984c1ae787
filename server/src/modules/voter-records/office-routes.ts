import { Readable } from 'node:stream';
import { mayDo } from '@ballot-beacon/contract/office/roles';
import type { VoterRecord } from '@ballot-beacon/contract/office/voters';
import type { VoterId } from '../../platform/ids.ts';
import type { Database } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { recordAudit } from '../audit/index.ts';
import { type FullBallotRecord, readFullRecords } from '../ballots/index.ts';
import { readContactHistory } from '../notifications/index.ts';
import { nameActors, type OfficeApi } from '../people/index.ts';
import { type AgainParts, fulfillAgain, readAgainAnswers } from '../sent-messages/index.ts';
import { isVoterLocked } from '../sessions/index.ts';
import type { Sites } from '../sites/index.ts';
import type { RollEntry } from '../voters/index.ts';
import { type RenderPage, renderDashboard } from '../web-app/index.ts';
import { pageBallots } from './ballots-store.ts';
import { shownMessages, shownNotes } from './lengths.ts';
import { addNote, type KeptNote, readNotes } from './notes-store.ts';
import { requireEntry } from './require-entry.ts';
import { findForClerk } from './search.ts';

const listedBallots = 100;

/**
 * Finding a voter, what is on record about the voter's ballots and messages, and what a clerk does for a voter who
 * calls. Each look and each deed is in the audit.
 */
export function registerVoterRecordRoutes(
  api: OfficeApi,
  parts: AgainParts & {
    readonly database: Database;
    readonly secrets: Secrets;
    readonly sites: Sites;
    /** Renders voters' pages; undefined where only calls are served. */
    readonly render: RenderPage | undefined;
  },
): void {
  api.answer('findVoters', ({ db, account, session }, { body }) =>
    findForClerk(db, account.accountId, body, {
      actor: session.actor,
      mayFindConfidential: mayDo(session.roles, 'confidential'),
    }),
  );

  api.answer('listBallots', async ({ db, account, session }, { query }) => {
    const found = await pageBallots(db, query, listedBallots + 1);
    const shown = found.slice(0, listedBallots);
    // Recorded before anything is shown.
    await recordAudit(db, account.accountId, {
      actor: session.actor,
      action: 'ballot.list',
      details: { ...query, count: shown.length },
    });
    return {
      ballots: shown,
      next: found.length > listedBallots ? (shown.at(-1)?.ballot_id ?? null) : null,
    };
  });

  api.answer('getVoterRecord', async (visit, { params }) => {
    const { db, account, session, now } = visit;
    const voterId = params.voter_id as VoterId;
    const entry = await requireEntry(visit, voterId);
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
    const again = await readAgainAnswers(db, account, voterId, now);
    const notes = await readNotes(db, voterId, shownNotes);
    const nameOf = await nameActors(
      db,
      notes.map(({ noted_by }) => noted_by),
    );
    return {
      voter_id: voterId,
      registration_id,
      is_active,
      is_confidential,
      is_locked: await isVoterLocked(parts.database.system, parts.secrets, voterId),
      details: is_confidential ? [] : listDetails(entry),
      ballots: ballots.map(showBallot),
      notes: notes.map((note) => showNote(note, nameOf)),
      messages: (history?.messages ?? []).map((one) => ({
        message_id: one.message_id,
        at: (one.sent_at ?? one.deliver_after).toISOString(),
        channel: one.channel,
        address: one.address,
        what: one.status ?? one.kind,
        state: one.state,
        error: one.error_code,
        again: again.get(one.message_id) ?? 'outdated',
      })),
      consents: (history?.consents ?? []).map(({ at, channel, address, action, source }) => ({
        ...{ at: at.toISOString(), channel, address, action, source },
      })),
    };
  });

  api.answer('showVoterPage', async (visit, { params, reply }) => {
    const { db, account, session, now } = visit;
    const voterId = params.voter_id as VoterId;
    const { is_active, is_confidential } = await requireEntry(visit, voterId);
    if (!is_active || is_confidential)
      throw problem(404, 'This voter has no page to look at here.');
    const site = await parts.sites.ofAccount(account.accountId);
    if (!parts.render || !site) throw problem(404, 'Pages are not served here.');
    // Recorded before anything is shown.
    await recordAudit(db, account.accountId, {
      ...{ actor: session.actor, action: 'voter.page', target: String(voterId) },
    });
    const view = { site, voterId, hasContactProof: false, isConfidential: false };
    const { html, policy } = await renderDashboard(parts.render, view, now);
    reply.header('content-security-policy', policy);
    return Readable.from([html]);
  });

  api.answer('noteCall', async (visit, { params, body }) => {
    const { db, account, session, now } = visit;
    const voterId = params.voter_id as VoterId;
    await requireEntry(visit, voterId);
    const { actor } = session;
    const note = await db.transaction().execute(async (tx) => {
      // Without its text, which is the voter's and erased one day.
      await recordAudit(tx, account.accountId, {
        ...{ actor, action: 'voter.note', target: String(voterId) },
      });
      return addNote(tx, account.accountId, { voterId, at: now, noted_by: actor, text: body.text });
    });
    return showNote(note, await nameActors(db, [actor]));
  });

  api.answer('sendVoterMessageAgain', async (visit, { params }) => {
    const { account, session, request, now } = visit;
    const voterId = params.voter_id as VoterId;
    const messageId = params.message_id;
    const { is_confidential: isConfidential } = await requireEntry(visit, voterId);
    if (isConfidential) throw problem(404, 'This voter has no such message.');
    const { accountId } = account;
    const { address } = await fulfillAgain(parts.database.forAccount(accountId), parts, {
      ...{ account, voterId, messageId, from: request.ip, now },
      refuse: () => problem(409, 'This message cannot be sent again. Load the page to see why.'),
      record: (tx, channel) =>
        recordAudit(tx, accountId, {
          actor: session.actor,
          action: 'voter.send-again',
          target: String(voterId),
          details: { message: messageId, channel },
        }),
    });
    return { address };
  });
}

function showNote({ note_id, at, noted_by, text }: KeptNote, nameOf: (actor: string) => string) {
  return { note_id, at: at.toISOString(), who: nameOf(noted_by), text };
}

function listDetails(entry: RollEntry): VoterRecord['details'] {
  const join = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ');
  return [
    { name: 'name', value: join(entry.firstname, entry.middlename, entry.lastname, entry.suffix) },
    { name: 'born', value: entry.birthdate ?? String(entry.birthyear ?? '') },
    {
      name: 'address',
      value: [entry.address, entry.city, join(entry.state, entry.zipcode)]
        .filter(Boolean)
        .join(', '),
    },
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
    status: ballot.shown?.status ?? null,
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
