import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPieceOffice } from '../../../../testing/mail-pieces.ts';
import type { TestOffice } from '../../../../testing/office.ts';
import { runs } from '../../../../testing/runs.ts';
import { sql } from '../../../../testing/sql.ts';
import type { ImportId } from '../../platform/ids.ts';
import { correct } from '../approvals/index.ts';
import { findWaitingImport } from '../imports/index.ts';
import { findPiece } from './index.ts';

const voters = [1, 2, 3] as const;
let office: TestOffice;
let files = 0;

beforeEach(openOffice);
afterEach(() => office.close());

async function openOffice(): Promise<void> {
  office = await createPieceOffice(voters);
}

/** A row of a mail house's file. The barcode does not say its way. */
interface Row {
  readonly voter: number;
  readonly serial: number;
  readonly way?: '' | 'outbound' | 'inbound';
  readonly day?: string;
}
const codeOf = (serial: number) => `00270123456${String(serial).padStart(9, '0')}`;

/** Approved where the gate asks for it. */
async function load(...rows: readonly Row[]): Promise<ImportId> {
  office.clock.advance(60_000);
  files += 1;
  const lines = rows.map(
    ({ voter, serial, way = 'outbound', day = '' }) =>
      `${voter},7,${codeOf(serial)},${way},${day && `2026-10-${day}`}`,
  );
  // No two files have the same bytes: a file that comes again says nothing new.
  const text = `registration_id,election,imb,direction,mailed_on\n${lines.join('\n')}${'\n'.repeat(files)}`;
  const { importId, state } = await office.import('beacon-mailpieces', text);
  if (importId === null) throw new Error(`The file is ${state}.`);
  const released = await findWaitingImport(office.db.database.system, importId);
  if (released) await office.import('beacon-mailpieces', text, { released });
  return importId;
}

async function putBack(importId: ImportId): Promise<void> {
  office.clock.advance(60_000);
  const by = { actor: 'operator:tester', name: 'Tester', details: {} } as const;
  const { database } = office.db;
  expect(await correct({ database, clock: office.clock }, importId, by)).toMatchObject({
    ok: true,
  });
}

/** What clerks see of a barcode: the ballots that have or had it, the current one first. */
async function look(serial: number): Promise<string[]> {
  const { database } = office.db;
  const { ballots } = await findPiece(database.system, office.account.accountId, codeOf(serial));
  return ballots.map(
    ({ registrationId, direction, mailedOn }) =>
      `${registrationId} ${direction ?? ''} ${mailedOn?.slice(-2) ?? ''}`,
  );
}

test('of three days that files gave one envelope, each comes back once the files after it are corrected', async () => {
  await load({ voter: 1, serial: 1, day: '05' });
  const second = await load({ voter: 1, serial: 1, day: '06' });
  const third = await load({ voter: 1, serial: 1, day: '07' });
  await putBack(third);
  expect(await look(1)).toEqual(['1 outbound 06']);
  await putBack(second);
  expect(await look(1)).toEqual(['1 outbound 05']);
});

test('a day that a wrong file gave in between does not come back when the file after it is corrected', async () => {
  await load({ voter: 1, serial: 1, day: '05' });
  const second = await load({ voter: 1, serial: 1, day: '06' });
  const third = await load({ voter: 1, serial: 1, day: '07' });
  await putBack(second);
  expect(await look(1)).toEqual(['1 outbound 07']);
  await putBack(third);
  expect(await look(1)).toEqual(['1 outbound 05']);
});

test('a barcode that a wrong file gave back to an earlier ballot is the later ballot’s once it is corrected', async () => {
  await load({ voter: 1, serial: 1 });
  await load({ voter: 2, serial: 1 });
  const wrong = await load({ voter: 1, serial: 1 });
  expect(await look(1)).toEqual(['1 outbound ', '2 outbound ']);
  await putBack(wrong);
  expect(await look(1)).toEqual(['2 outbound ', '1 outbound ']);
});

describe('what USPS saw', () => {
  const scan = (serial: number) =>
    office.import(
      'usps-iv-mtr',
      JSON.stringify({
        events: [
          {
            ...{ imb: `${codeOf(serial)}99301`, scanDatetime: '2026-10-12T11:00:00' },
            ...{ mailPhase: '1a', handlingEventType: 'A', scanEventCode: '517' },
            scanFacilityState: 'WA',
          },
        ],
      }),
    );
  const readStatuses = async () => {
    const { rows } = await sql<{ status: string }>`
      select current_status as status from ballots join voters using (voter_id) order by registration_id`.execute(
      office.db.database.system,
    );
    return rows.map(({ status }) => status);
  };

  test('goes to the ballot whose barcode it is again', async () => {
    await load({ voter: 1, serial: 1 });
    await load({ voter: 2, serial: 1 });
    const wrong = await load({ voter: 1, serial: 1 });
    office.clock.set('2026-10-25T15:00:00Z');
    await scan(1);
    expect(await readStatuses()).toEqual(['in-transit', 'printed', 'requested']);
    await putBack(wrong);
    expect(await readStatuses()).toEqual(['printed', 'in-transit', 'requested']);
  });

  test('counts once no file is left that gave the envelope a later day', async () => {
    await load({ voter: 1, serial: 1, way: '' });
    const wrong = await load({ voter: 1, serial: 1, way: 'outbound', day: '20' });
    await load({ voter: 1, serial: 1, way: 'inbound' });
    office.clock.set('2026-10-25T15:00:00Z');
    await scan(1);
    expect(await look(1)).toEqual(['1 inbound 20']);
    const [before] = await readStatuses();
    expect(before).toBe('printed');
    await putBack(wrong);
    expect(await look(1)).toEqual(['1 inbound ']);
    expect((await readStatuses())[0]).toBe('return-in-transit');
  });
});

interface Word extends Row {
  readonly of: ImportId;
}

/** What is known of the barcodes by these files' words, in the order in which they came. */
function knownBy(words: readonly Word[], serial: number): string[] {
  const pieces = new Map<number, string>();
  for (const { voter, way = '', day = '' } of words.filter((word) => word.serial === serial)) {
    const known = pieces.get(voter);
    pieces.delete(voter);
    pieces.set(voter, `${voter} ${way} ${day || (known?.split(' ')[2] ?? '')}`);
  }
  return [...pieces.values()].reverse();
}

test('whatever files are corrected, in any order, each envelope is as if they had not come', async () => {
  const row = fc.record({
    voter: fc.constantFrom(1, 2),
    serial: fc.constantFrom(1, 2),
    way: fc.constantFrom('', 'outbound', 'inbound'),
    day: fc.constantFrom('', '05', '06', '07'),
  }) satisfies fc.Arbitrary<Row>;
  const file = fc
    .uniqueArray(row, { minLength: 1, maxLength: 4, selector: ({ serial }) => serial })
    .map((rows) => ({ rows }));
  const wrong = fc.record({ wrong: fc.nat() });
  const steps = fc.array(
    fc.oneof({ weight: 3, arbitrary: file }, { weight: 2, arbitrary: wrong }),
    {
      minLength: 6,
      maxLength: 14,
    },
  );
  let run = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      run += 1;
      const serials = [1, 2].map((serial) => 10 * run + serial);
      let words: Word[] = [];
      const loaded: ImportId[] = [];
      for (const step of drawn) {
        if ('rows' in step) {
          const rows = step.rows.map((one) => ({ ...one, serial: 10 * run + one.serial }));
          const of = await load(...rows);
          loaded.push(of);
          // What is known already is no word of the file's.
          const isNew = (one: Word) =>
            String(knownBy([...words, one], one.serial)) !== String(knownBy(words, one.serial));
          words = [...words, ...rows.map((one) => ({ ...one, of })).filter(isNew)];
        } else {
          const [of] = loaded.splice(step.wrong % Math.max(1, loaded.length), 1);
          if (of === undefined) continue;
          await putBack(of);
          words = words.filter((word) => word.of !== of);
        }
        const known = await Promise.all(serials.map(look));
        expect(known).toEqual(serials.map((serial) => knownBy(words, serial)));
      }
    }),
    { numRuns: runs(6), endOnFailure: true },
  );
});
