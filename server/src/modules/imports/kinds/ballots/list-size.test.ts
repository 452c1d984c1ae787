import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
  const voters = Array.from({ length: 19 }, (_, n) => `${n},Ann,Lee,01/02/1950,99301`);
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  await office.import('beacon-voters', [header, ...voters].join('\n'));
});
afterEach(() => office.close());

const importBallots = (...rows: string[]) =>
  office.import('beacon-ballots', ['registration_id,election,status,sent_on', ...rows].join('\n'));
const sent = (count: number) => Array.from({ length: count }, (_, n) => `${n},7,sent,2026-10-05`);

describe('a county of a dozen ballots', () => {
  test('has its file wait when most of it is missing, and nothing of it is loaded', async () => {
    await importBallots(...sent(12));
    const { state, report } = await importBallots(...sent(2), '2,7,cancelled,', '3,7,returned,');
    expect([state, report.gate?.[0]?.code]).toEqual(['file-held', 'file-shrank']);
    expect(report.gate?.[0]?.detail).toBe(
      'It has 4 rows; the one before it had 12, so more than half are missing.',
    );
    expect(report.after).toEqual(report.before);
  });

  test('is not kept waiting by a list that is shorter by some, or by half', async () => {
    await importBallots(...sent(12));
    expect((await importBallots(...sent(9))).state).toBe('done');
    await importBallots(...sent(10), '10,7,returned,', '11,7,returned,');
    expect((await importBallots(...sent(6), '11,7,accepted,')).state).toBe('done');
  });

  test('may send only what changed that day', async () => {
    await importBallots(...sent(12));
    const changes = ['1,7,returned,', '2,7,returned,', '3,7,accepted,'];
    expect((await importBallots(...changes)).state).toBe('done');
  });

  test('of five ballots or fewer never waits', async () => {
    await importBallots(...sent(5));
    expect((await importBallots(...sent(1))).state).toBe('done');
  });
});

describe('a file of two elections', () => {
  const rows = (election: string, from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `C${from + n},${election},sent,2026-09-14`);
  beforeEach(async () => {
    office.clock.set('2026-09-16T15:00:00Z');
    await office.addElection('6', '2026-09-22');
    const voters = Array.from({ length: 100 }, (_, n) => `C${n},Ann,Lee,01/02/1950,99301`);
    const header = 'registration_id,firstname,lastname,birthdate,zipcode';
    await office.import('beacon-voters', [header, ...voters].join('\n'));
    expect((await importBallots(...rows('7', 0, 80), ...rows('6', 0, 30))).state).toBe('done');
  });

  test('no longer has the election that is over, and does not wait for that', async () => {
    office.clock.set('2026-10-12T15:00:00Z');
    expect((await importBallots(...rows('7', 0, 80))).state).toBe('done');
  });

  test('waits when rows of the other are missing too, or when the election that is gone is not over', async () => {
    expect((await importBallots(...rows('7', 0, 80))).report.gate?.[0]).toMatchObject({
      code: 'file-shrank',
      detail: 'It has 80 rows; the one before it had 110, and your limit is 10% fewer.',
    });
    office.clock.set('2026-10-12T15:00:00Z');
    expect((await importBallots(...rows('7', 0, 60))).report.gate?.[0]).toMatchObject({
      code: 'file-shrank',
      detail:
        'It has 60 rows; the one before it had 80 without elections that are over, and your limit is 10% fewer.',
    });
  });
});

describe('rows that are several times in a file', () => {
  const list = (name: string, count: number) => sent(count).map((row) => `${name}${row}`);
  beforeEach(async () => {
    const voters = Array.from({ length: 100 }, (_, n) => `B${n},Ann,Lee,01/02/1950,99301`);
    const header = 'registration_id,firstname,lastname,birthdate,zipcode';
    await office.import('beacon-voters', [header, ...voters].join('\n'));
    await importBallots(...list('B', 100));
  });

  test('count once, so that the next right file does not wait', async () => {
    const doubled = await importBallots(...list('B', 100), ...list('B', 20));
    expect([doubled.state, doubled.report.rows.passedOver]).toEqual(['done', 20]);
    const next = await importBallots(...list('B', 99), 'B99,7,returned,2026-10-05');
    expect([next.state, next.report.gate ?? []]).toEqual(['done', []]);
  });

  test('do not make up for rows that are missing', async () => {
    const half = list('B', 50);
    const { state, report } = await importBallots(...half, ...half);
    expect([state, report.gate?.[0]?.code]).toEqual(['file-held', 'file-shrank']);
    expect(report.gate?.[0]?.detail).toContain('It has 50 rows; the one before it had 100');
  });
});
