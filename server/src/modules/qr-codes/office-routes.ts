import { Readable } from 'node:stream';
import {
  type BallotCodes,
  type LetterCodes,
  mostOnSheet,
} from '@ballot-beacon/contract/office/codes';
import type { FastifyReply } from 'fastify';
import { localDay } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { writeCsvRow } from '../../platform/csv-row.ts';
import { problem } from '../../platform/problem.ts';
import { type Election, findElection, listElections } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { drawMissingCodes, readCodes } from '../ballots/index.ts';
import { originOf } from '../notifications/index.ts';
import type { OfficeApi, OfficeVisit } from '../people/index.ts';
import { drawLetterCodes, letterCodeLifetimeMs } from '../sessions/index.ts';
import { drawCodeSheet } from './draw-sheet.ts';
import { type QrSheet, sheetOfBallots, sheetOfLetters } from './sheets.ts';

type Visit = OfficeVisit & { readonly session: NonNullable<OfficeVisit['session']> };

/** The QR codes of `beacon qr`: voters sign in with them, so making them is on record before anything is written. */
export function registerCodeRoutes(api: OfficeApi, { config }: { readonly config: Config }): void {
  api.answer('listCodeElections', async ({ db, account }) => {
    const all = await listElections(db, account.accountId);
    return {
      elections: all.map(({ number, name, isActive }) => ({ number, name, is_active: isActive })),
    };
  });

  api.answer('createBallotCodes', async (visit, { body, reply }) => {
    const codes = await makeBallotCodes(visit, body, 'csv');
    attach(reply, `ballot-codes-${fileName(body.election)}.csv`);
    return Readable.from(writeTable(codes, ballotSheet(config, visit)));
  });
  api.answer('createBallotSheet', async (visit, { body, reply }) => {
    const codes = await atMost(await makeBallotCodes(visit, body, 'pdf'), mostOnSheet);
    attach(reply, `ballot-codes-${fileName(body.election)}.pdf`);
    const title = `QR codes of ballots, election ${body.election}`;
    return Readable.from([await drawCodeSheet(title, codes, ballotSheet(config, visit))]);
  });

  api.answer('createLetterCodes', async (visit, { body, reply }) => {
    const { codes, sheet } = await makeLetterCodes(config, visit, body, 'csv');
    attach(reply, `letter-codes-${fileName(body.election)}.csv`);
    return Readable.from(writeTable(codes, sheet));
  });
  api.answer('createLetterSheet', async (visit, { body, reply }) => {
    const { codes, sheet } = await makeLetterCodes(config, visit, body, 'pdf');
    attach(reply, `letter-codes-${fileName(body.election)}.pdf`);
    const title = `QR codes for letters, election ${body.election}`;
    return Readable.from([await drawCodeSheet(title, codes, sheet)]);
  });
}

/** Creates the codes that are missing, on record, and reads them all or one voter's. */
async function makeBallotCodes(
  visit: Visit,
  { election: number, voter_id: voterId }: BallotCodes,
  format: string,
) {
  const {
    db,
    account: { accountId },
    session: { actor },
  } = visit;
  const election = await requireElection(visit, number);
  await db.transaction().execute(async (tx) => {
    const drawn = await drawMissingCodes(tx, accountId, election.electionId);
    await recordAudit(tx, accountId, {
      ...{
        actor,
        action: 'ballot-codes.print',
        target: election.number,
        details: { drawn, format },
      },
    });
  });
  const codes = readCodes(db, accountId, election.electionId, voterId || undefined);
  const first = await codes.next();
  if (first.done)
    throw voterId
      ? refuse(
          'voter_id',
          'This voter has no ballot in this election, or is found by a letter only.',
        )
      : refuse('election', 'This election has no ballots yet. Import them first.');
  return startingWith(first.value, codes);
}

async function makeLetterCodes(
  config: Config,
  visit: Visit,
  { election: number, voter_id: voterId, renew }: LetterCodes,
  format: 'csv' | 'pdf',
) {
  const {
    db,
    account,
    session: { actor },
    now,
  } = visit;
  const { accountId, timeZone } = account;
  const { electionId, number: target } = await requireElection(visit, number);
  const expiresAt = new Date(now.getTime() + letterCodeLifetimeMs);
  const codes = await db.transaction().execute(async (tx) => {
    const drawn = await drawLetterCodes(tx, {
      ...{ accountId, electionId, registrationId: voterId || undefined, isRenewal: renew },
      ...{ now, expiresAt },
    });
    if (drawn.codes.length === 0)
      throw voterId
        ? refuse('voter_id', 'No active confidential voter with a birth date has this voter ID.')
        : refuse(
            'renew',
            'Every confidential voter who can sign in has a code. Replace them, or choose one voter.',
          );
    if (format === 'pdf' && drawn.codes.length > mostOnSheet) throw refuse('election', tooMany);
    await recordAudit(tx, accountId, {
      actor,
      action: 'letter-codes.print',
      target,
      details: { drawn: drawn.codes.length, format },
    });
    return drawn.codes;
  });
  return {
    codes,
    sheet: sheetOfLetters(originOf(config, account.subdomain), localDay(expiresAt, timeZone)),
  };
}

function ballotSheet(config: Config, { account }: Visit) {
  return sheetOfBallots(originOf(config, account.subdomain));
}

async function requireElection({ db, account }: Visit, number: string): Promise<Election> {
  const found = findElection(await listElections(db, account.accountId), number);
  if (found) return found;
  throw refuse('election', 'Choose an election.');
}

async function* writeTable<Code>(
  codes: AsyncIterable<Code> | Iterable<Code>,
  { columns, cellsOf }: QrSheet<Code>,
) {
  yield writeCsvRow(columns, 'windows');
  for await (const code of codes) yield writeCsvRow(cellsOf(code), 'windows');
}

const tooMany = `A sheet has at most ${mostOnSheet.toLocaleString('en-US')} codes. Choose one voter, or the table.`;

async function atMost<Code>(codes: AsyncIterable<Code>, most: number): Promise<Code[]> {
  const all: Code[] = [];
  for await (const code of codes) {
    if (all.length === most) throw refuse('election', tooMany);
    all.push(code);
  }
  return all;
}

async function* startingWith<One>(first: One, rest: AsyncIterable<One>) {
  yield first;
  yield* rest;
}

function refuse(field: string, message: string) {
  return problem(422, 'Failed Validation', {
    validationMessages: { [field]: { invalid: message } },
  });
}

function fileName(number: string): string {
  return number.replaceAll(/[^\w-]/g, '_');
}

function attach(reply: FastifyReply, name: string): void {
  reply.header('content-disposition', `attachment; filename="${name}"`);
}
