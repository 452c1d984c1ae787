import { isDeepStrictEqual } from 'node:util';
import type {
  ElectionChange,
  ListedElection,
  NewElection,
} from '@ballot-beacon/contract/office/elections';
import { formatDate } from '../../platform/clock.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Tx } from '../../platform/postgres.ts';
import { problem, refuseField } from '../../platform/problem.ts';
import {
  type Election,
  findElection,
  isLikelyElectionDay,
  listElections,
  lockAccount,
  mayMoveTo,
  removeElection,
  saveElection,
  updateElection,
} from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { findStrayDeadline, findUnlikelyDay, isLikelyReturnDay } from '../deadlines/index.ts';
import { tryBeginImport } from '../imports/index.ts';
import { listDiscarded } from '../past-elections/index.ts';
import type { OfficeApi } from '../people/index.ts';

/** An office's elections, with the rules of `beacon election`. */
export function registerElectionRoutes(api: OfficeApi): void {
  api.answer('listElections', async ({ db, account }) => {
    const elections = await listElections(db, account.accountId);
    return { elections: elections.map(showElection) };
  });

  api.answer('addElection', ({ db, account: { accountId }, session, now }, { body }) =>
    db.transaction().execute(async (tx) => {
      const all = await lockElections(tx, accountId);
      refuseUnlikelyDay(body, now);
      refuseTakenNumber(all, body.number);
      await refuseDiscardedNumber(tx, accountId, body.number);
      refuseOtherDays(body);
      const electionId = await saveElection(tx, accountId, readElection(body));
      const { number, ...details } = body;
      await recordAudit(tx, accountId, {
        ...{ actor: session.actor, action: 'election.set', target: number, details },
      });
      return { election_id: electionId };
    }),
  );

  api.answer(
    'changeElection',
    ({ db, account: { accountId }, session, now }, { params, body: edit }) =>
      db.transaction().execute(async (tx) => {
        const { from = {}, ...body } = edit;
        const all = await lockElections(tx, accountId);
        const before = requireElection(all, params.election_id);
        refuseOtherThanSeen(showElection(before), from, body);
        refuseUnlikelyDay(body, now);
        const { number = before.number, ...rest } = body;
        const isRenamed = number !== before.number;
        if (isRenamed) {
          await requireNoImport(tx, accountId);
          refuseTakenNumber(
            all.filter((one) => one !== before),
            number,
          );
          await refuseDiscardedNumber(tx, accountId, number);
        }
        const { electionId } = before;
        const changed: ListedElection = Object.assign(showElection(before), body);
        refuseOtherDays(changed);
        await refuseFarDay(tx, before, changed.election_date);
        await refuseStrayDeadline(tx, accountId, before, changed.election_date);
        const after = { electionId, ...readElection(changed) };
        const details = listChanged(showElection(before), rest);
        await updateElection(tx, after);
        const { actor } = session;
        if (isRenamed)
          await recordAudit(tx, accountId, {
            ...{
              actor,
              action: 'election.rename',
              target: number,
              details: { from: before.number },
            },
          });
        if (Object.keys(details).length > 0)
          await recordAudit(tx, accountId, {
            actor,
            action: 'election.set',
            target: number,
            details,
          });
        return undefined;
      }),
  );

  api.answer('removeElection', ({ db, account: { accountId }, session }, { params }) =>
    db.transaction().execute(async (tx) => {
      const election = requireElection(await lockElections(tx, accountId), params.election_id);
      await requireNoImport(tx, accountId);
      const count = await removeElection(tx, election.electionId);
      if (count > 0)
        throw problem(
          409,
          'This election has ballots, so it cannot be removed. Make it inactive instead.',
        );
      await recordAudit(tx, accountId, {
        actor: session.actor,
        action: 'election.remove',
        target: election.number,
      });
      return undefined;
    }),
  );
}

/** The elections as they are, which nobody else changes until the transaction's end. */
export async function lockElections(tx: Tx, accountId: AccountId): Promise<Election[]> {
  await lockAccount(tx, accountId);
  return listElections(tx, accountId);
}

export function requireElection(all: readonly Election[], electionId: number): Election {
  const found = all.find((one) => one.electionId === electionId);
  if (found) return found;
  throw problem(404, 'This election is not there any more.');
}

function refuseTakenNumber(others: readonly Election[], number: string): void {
  const taken = findElection(others, number);
  if (taken) throw problem(409, `Election ${taken.number} exists already: ${taken.name}.`);
}

/** Old files of a discarded election would tell voters old news anew. */
async function refuseDiscardedNumber(tx: Tx, accountId: AccountId, number: string): Promise<void> {
  const discarded = findElection(await listDiscarded(tx, accountId), number);
  if (discarded)
    throw problem(409, `Election ${discarded.number} was deleted: its number is not used again.`);
}

/** What already is as the person wants it was changed by nobody else: an answer may have been lost. */
function refuseOtherThanSeen(now: ListedElection, from: ElectionChange, to: ElectionChange): void {
  const isOther = Object.keys(listChanged(now, from)).some((name) => name in listChanged(now, to));
  if (isOther)
    throw problem(
      409,
      'Somebody changed the same of this election meanwhile, so nothing was saved. Open it anew and look at it first.',
    );
}

function refuseUnlikelyDay({ election_date: day }: ElectionChange, now: Date): void {
  if (day === undefined || isLikelyElectionDay(day, now)) return;
  throw refuseField('election_date', 'Check the year of election day.', 'unlikely');
}

async function refuseFarDay(tx: Tx, before: Election, day: string): Promise<void> {
  if (await mayMoveTo(tx, before, day)) return;
  throw refuseField(
    'election_date',
    `Check election day: this election is on ${formatDate(before.electionDate)} and has ballots, so it cannot move that far. A new election needs a number of its own.`,
    'unlikely',
  );
}

async function refuseStrayDeadline(
  tx: Tx,
  accountId: AccountId,
  before: Election,
  day: string,
): Promise<void> {
  const endsOn = await findStrayDeadline(tx, accountId, before, day);
  if (endsOn === null) return;
  throw refuseField(
    'election_date',
    `Check election day: your own deadline to fix an envelope, ${formatDate(endsOn)}, does not fit an election on ${formatDate(day)}. Remove this deadline first, and set it again afterward.`,
    'unlikely',
  );
}

/** Deadlines to fix an envelope count from these days, and voters read them. */
function refuseOtherDays(election: NewElection): void {
  const { election_date: day, return_deadline: deadline } = election;
  if (deadline && !isLikelyReturnDay(deadline, day))
    throw refuseField(
      'return_deadline/date',
      'Check this day: ballots are not due then with this election day and rule.',
      'unlikely',
    );
  const unlikely = findUnlikelyDay({
    election: election.election_date,
    canvass: election.canvassed_on ?? undefined,
    certification: election.certified_on ?? undefined,
  });
  if (!unlikely) return;
  const field = unlikely === 'canvass' ? 'canvassed_on' : 'certified_on';
  throw refuseField(field, 'Check this day: it does not belong to this election day.', 'unlikely');
}

/** Until the transaction's end no file is imported, which could name the old number or bring ballots. */
async function requireNoImport(tx: Tx, accountId: AccountId): Promise<void> {
  if (await tryBeginImport(tx, accountId)) return;
  throw problem(409, 'A file of this office is being imported. Try again when it is done.');
}

function showElection(election: Election): ListedElection {
  const { electionId, number, name, electionDate, isActive, returnDeadline, kind } = election;
  return {
    ...{ election_id: electionId, number, name, election_date: electionDate, is_active: isActive },
    ...{ return_deadline: returnDeadline, kind },
    ...{ certified_on: election.certifiedOn, canvassed_on: election.canvassedOn },
  };
}

function readElection(given: NewElection): Omit<Election, 'electionId'> {
  const { number, name, election_date: electionDate, is_active: isActive, kind } = given;
  return {
    ...{ number, name, electionDate, isActive, returnDeadline: given.return_deadline, kind },
    ...{ certifiedOn: given.certified_on, canvassedOn: given.canvassed_on },
  };
}

/** What was one thing and is another, from what to what. */
function listChanged(before: ListedElection, change: ElectionChange): Record<string, unknown> {
  const names = Object.keys(change) as (keyof ElectionChange)[];
  return Object.fromEntries(
    names
      .filter((name) => !isDeepStrictEqual(change[name], before[name]))
      .map((name) => [name, { from: before[name], to: change[name] }]),
  );
}
