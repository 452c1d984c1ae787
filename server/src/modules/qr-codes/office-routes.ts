import { Readable } from 'node:stream';
import {
  type BallotCodes,
  type LetterCodes,
  mostOnSheet,
} from '@ballot-beacon/contract/office/codes';
import { attachAs } from '../../platform/attach.ts';
import { localDay } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { refuseField } from '../../platform/problem.ts';
import { type Election, findElection, listElections } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { countCodes, drawMissingCodes, readCodes } from '../ballots/index.ts';
import { originOf } from '../notifications/index.ts';
import type { OfficeApi, SignedInVisit } from '../people/index.ts';
import {
  drawLetterCodes,
  isOverForLetters,
  lastDayOfLetterCode,
  letterCodeLifetimeMs,
} from '../sessions/index.ts';
import { drawCodeSheet } from './draw-sheet.ts';
import { sheetOfBallots, sheetOfLetters, writeCodeTable } from './sheets.ts';

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
    attachAs(reply, `ballot-codes-${fileName(body.election)}.csv`);
    return Readable.from(writeCodeTable(codes, ballotSheet(config, visit)));
  });
  api.answer('createBallotSheet', async (visit, { body, reply }) => {
    const codes = await readAll(await makeBallotCodes(visit, body, 'pdf'));
    attachAs(reply, `ballot-codes-${fileName(body.election)}.pdf`);
    const title = `QR codes of ballots, election ${body.election}`;
    return Readable.from([await drawCodeSheet(title, codes, ballotSheet(config, visit))]);
  });

  api.answer('createLetterCodes', async (visit, { body, reply }) => {
    const { codes, sheet } = await makeLetterCodes(config, visit, body, 'csv');
    attachAs(reply, `letter-codes-${fileName(body.election)}.csv`);
    return Readable.from(writeCodeTable(codes, sheet));
  });
  api.answer('createLetterSheet', async (visit, { body, reply }) => {
    const { codes, sheet } = await makeLetterCodes(config, visit, body, 'pdf');
    attachAs(reply, `letter-codes-${fileName(body.election)}.pdf`);
    const title = `QR codes for letters, election ${body.election}`;
    return Readable.from([await drawCodeSheet(title, codes, sheet)]);
  });
}

/** Creates the codes that are missing, on record, and reads them all or one voter's. */
async function makeBallotCodes(
  visit: SignedInVisit,
  { election: number, voter_id: voterId }: BallotCodes,
  format: 'csv' | 'pdf',
) {
  const {
    db,
    account: { accountId },
    session: { actor },
  } = visit;
  const { electionId, number: target } = await requireElection(visit, number);
  const registrationId = voterId || undefined;
  await db.transaction().execute(async (tx) => {
    const drawn = await drawMissingCodes(tx, accountId, electionId);
    const count = await countCodes(tx, accountId, electionId, registrationId);
    if (count === 0) throw voterId ? noBallotOfVoter() : noBallots();
    if (format === 'pdf' && count > mostOnSheet) throw refuseField('election', tooMany);
    await recordAudit(tx, accountId, {
      actor,
      action: 'ballot-codes.print',
      target,
      details: { drawn, format },
    });
  });
  return readCodes(db, accountId, electionId, registrationId);
}

const noBallots = () =>
  refuseField('election', 'This election has no ballots yet. Import them first.');
const noBallotOfVoter = () =>
  refuseField(
    'voter_id',
    'This voter has no ballot in this election, or is found by a letter only.',
  );

async function makeLetterCodes(
  config: Config,
  visit: SignedInVisit,
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
  const election = await requireElection(visit, number);
  const { electionId, number: target } = election;
  // The codes that work would go for codes that never do.
  if (isOverForLetters(election, localDay(now, timeZone)))
    throw refuseField('election', `${election.name} is over. Choose an election that is ahead.`);
  const expiresAt = new Date(now.getTime() + letterCodeLifetimeMs);
  const codes = await db.transaction().execute(async (tx) => {
    const drawn = await drawLetterCodes(tx, {
      ...{ accountId, electionId, registrationId: voterId || undefined, isRenewal: renew },
      ...{ now, expiresAt },
    });
    if (drawn.codes.length === 0)
      throw voterId
        ? refuseField(
            'voter_id',
            'No active confidential voter with a birth date has this voter ID.',
          )
        : refuseField(
            'renew',
            'Every confidential voter who can sign in has a code. Replace them, or choose one voter.',
          );
    if (format === 'pdf' && drawn.codes.length > mostOnSheet)
      throw refuseField('election', tooMany);
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
    sheet: sheetOfLetters(
      originOf(config, account.subdomain),
      lastDayOfLetterCode(expiresAt, timeZone),
    ),
  };
}

function ballotSheet(config: Config, { account }: SignedInVisit) {
  return sheetOfBallots(originOf(config, account.subdomain));
}

async function requireElection({ db, account }: SignedInVisit, number: string): Promise<Election> {
  const found = findElection(await listElections(db, account.accountId), number);
  if (found) return found;
  throw refuseField('election', 'Choose an election.');
}

const tooMany = `A sheet has at most ${mostOnSheet.toLocaleString('en-US')} codes. Choose one voter, or the table.`;

async function readAll<Code>(codes: AsyncIterable<Code>): Promise<Code[]> {
  const all: Code[] = [];
  for await (const code of codes) all.push(code);
  return all;
}

function fileName(number: string): string {
  return number.replaceAll(/[^\w-]/g, '_');
}
