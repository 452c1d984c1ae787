import { afterEach, beforeEach, expect, test } from 'vitest';
import { barcodeOf, createPieceOffice } from '../../../../../../testing/mail-pieces.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';

/** Two offices with voters of the same IDs, an election of the same number, and a mail house that counts alike for both. */
let adams: TestOffice;
let lake: TestOffice;
const voters = [1, 2, 3, 4];

beforeEach(async () => {
  adams = await createPieceOffice(voters);
  lake = await createPieceOffice(voters, { subdomain: 'lake', county: 'Lake' }, adams);
});
afterEach(async () => {
  await lake.close();
  await adams.close();
});

async function importPieces(office: TestOffice, of = voters) {
  const rows = of.map((voter) => `${voter},7,${barcodeOf(voter)}`);
  const file = ['registration_id,election,outbound_imb', ...rows].join('\n');
  const { state, report } = await office.import('beacon-mailpieces', file);
  return { state, ...report };
}

test('the envelopes and voters of another office are none of this office’s', async () => {
  for (const office of [adams, lake])
    expect(await importPieces(office)).toMatchObject({
      state: 'done',
      rows: { added: 4, refused: 0 },
      before: {},
      after: { '7 outbound': 4 },
    });
  // Those that the other office reported since overtake none.
  expect(await importPieces(adams, voters.toReversed())).toMatchObject({
    rows: { changed: 0, unchanged: 4 },
    after: { '7 outbound': 4 },
  });
});
