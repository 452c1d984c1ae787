import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openListOffice, range, reasonsOf } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';

/** An office whose list comes as several files each day, such as one of each precinct, or one of voters overseas beside all others. */
let office: TestOffice;
beforeEach(async () => {
  office = await openListOffice(600);
  office.clock.set('2026-10-12T15:00:00Z');
});
afterEach(() => office.close());

const header = 'registration_id,election,status,requested_on,sent_on,returned_on';

/** Every twentieth ballot comes back on each day after the first. */
function importPart(voters: readonly number[], day: number) {
  const rows = voters.map((voter) => {
    const asked = `2026-09-${String(1 + (voter % 28)).padStart(2, '0')}`;
    const back = (voter * 7) % 20;
    return back < day
      ? `${voter},7,accepted,${asked},2026-10-05,2026-10-${12 + back}`
      : `${voter},7,sent,${asked},2026-10-05,`;
  });
  return office.import('beacon-ballots', [header, ...rows, ''].join('\n'));
}

describe.each([
  ['of precincts', [range(0, 250), range(250, 290), range(290, 470), range(470, 600)]],
  ['of voters overseas beside all others', [range(0, 560), range(560, 600)]],
])('parts %s', (_, parts) => {
  async function importDays(days: number): Promise<void> {
    for (const day of range(0, days)) {
      for (const part of parts) {
        const outcome = await importPart(part, day);
        expect([day, part[0], ...reasonsOf(outcome)]).toEqual([day, part[0], 'done']);
      }
      office.clock.advance(24 * 60 * 60 * 1000);
    }
  }

  test('do not wait for being shorter than each other', () => importDays(4));

  test('wait when one of them is shorter than it was', async () => {
    await importDays(3);
    const [largest = []] = parts;
    expect(reasonsOf(await importPart(largest, 3))).toEqual(['done']);
    office.clock.advance(24 * 60 * 60 * 1000);
    const short = await importPart(largest.slice(0, 90), 4);
    expect(reasonsOf(short)).toEqual(['file-held', 'file-shrank']);
  });
});
