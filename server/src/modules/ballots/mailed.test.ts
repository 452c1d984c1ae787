import { afterAll, beforeAll, expect, test } from 'vitest';
import { barcodeOf, createPieceOffice } from '../../../../testing/mail-pieces.ts';
import type { TestOffice } from '../../../../testing/office.ts';
import { sql } from '../../../../testing/sql.ts';
import type { BallotId } from '../../platform/ids.ts';
import { readBallotsInMail } from './index.ts';

let office: TestOffice;
beforeAll(async () => {
  office = await createPieceOffice([1, 2, 3, 4, 5, 6]);
  await office.import(
    'beacon-mailpieces',
    [
      'registration_id,election,outbound_imb,inbound_imb',
      ...[1, 2, 3, 4, 5].map((voter) => `${voter},7,${barcodeOf(voter)},`),
    ].join('\n'),
  );
  await office.import(
    'beacon-ballots',
    [
      'registration_id,election,status,sent_on',
      ...[1, 2, 3, 4, 5, 6].map((voter) => `${voter},7,sent,2026-10-07`),
    ].join('\n'),
  );
});
afterAll(() => office.close());

test('lots of ballots in the mail follow each other: each ballot that has a barcode is in one', async () => {
  const db = office.db.database.system;
  const { rows: mailed } = await sql<{ ballot_id: BallotId }>`
    select ballot_id from ballots join mail_pieces using (ballot_id) order by 1`.execute(db);
  const account = { accountId: office.account.accountId, timeZone: 'America/New_York' };
  const lots: BallotId[][] = [];
  for (let after = 0 as BallotId; ; ) {
    const lot = await readBallotsInMail(db, account, { after, limit: 2 });
    lots.push(lot.map(({ ballotId }) => ballotId));
    const last = lot.at(-1);
    if (!last || lot.length < 2 || lots.length > 9) break;
    after = last.ballotId;
  }
  expect(lots.map((lot) => lot.length)).toEqual([2, 2, 1]);
  expect(lots.flat()).toEqual(mailed.map(({ ballot_id }) => ballot_id));
});
