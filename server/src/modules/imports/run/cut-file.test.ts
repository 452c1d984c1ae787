import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../testing/office.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
  const voters = Array.from({ length: 9 }, (_, n) => `${n},Ann,Lee,01/02/1950,99301`);
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  await office.import('beacon-voters', `${[header, ...voters].join('\n')}\n`);
});
afterEach(() => office.close());

const list = (count: number, reason: string) =>
  [
    'registration_id,election,status,reason',
    ...Array.from({ length: count }, (_, n) => `${n},7,rejected-curable,${reason}`),
  ].join('\n');
const importBallots = (content: string) => office.import('beacon-ballots', content);

/** Three days' files, of which each ends so. */
async function importDays(end: string): Promise<void> {
  for (const reason of ['Not signed', 'No witness', 'Signature differs'])
    expect((await importBallots(list(8, reason) + end)).state).toBe('done');
}

test('a file that ends in the middle of its last value waits, where none of the last files ended so', async () => {
  await importDays('\n');
  const { state, report } = await importBallots(list(7, 'Signature differs').slice(0, -7));
  expect(state).toBe('file-held');
  expect(report.gate).toEqual([
    {
      code: 'cut-file',
      detail:
        'The file ends in the middle of a line, as none of your last files did. Its end is probably missing. Download or export it again.',
      examples: [expect.objectContaining({ voter: '6', line: 8 })],
    },
  ]);
  expect((await importBallots(`${list(8, 'Signature missing')}\n`)).state).toBe('done');
});

test('one of the last five files that ended so too is enough for the next to be whole', async () => {
  const end = (content: string) => importBallots(content.slice(0, -7));
  await importBallots(list(8, 'Other'));
  await importDays('\n');
  expect((await end(list(7, 'Signature differs'))).state).toBe('done');
  for (const reason of ['Torn', 'Wet', 'No ID', 'Late', 'Open'])
    expect((await importBallots(`${list(8, reason)}\n`)).state).toBe('done');
  expect((await end(list(7, 'Signature differs'))).state).toBe('file-held');
});

test('a file that only says again what is known is whole enough', async () => {
  await importDays('\n');
  expect((await importBallots(list(7, 'Signature differs'))).state).toBe('done');
});

test('an exporter that does not end the last line is none that broke off', async () => {
  await importDays('');
  expect((await importBallots(`${list(8, 'No ID')}\n`)).state).toBe('done');
  expect((await importBallots(list(8, 'Other'))).state).toBe('done');
});

test.each([
  ['a roll', false],
  ['a whole roll, within the limit for missing voters', true],
])('%s that breaks off in its last value waits too', async (_, isFull) => {
  const write = (count: number, city: string) =>
    [
      'registration_id,firstname,lastname,birthdate,zipcode,city',
      ...Array.from({ length: count }, (_, n) => `${n},Ann,Lee,01/02/1950,99301,${city}`),
    ].join('\n');
  const importRoll = (content: string) => office.import('beacon-voters', content, { isFull });
  for (const city of ['Kahlotus', 'Mesa', 'Connell'])
    expect((await importRoll(`${write(40, city)}\n`)).state).toBe('done');
  const { state, report } = await importRoll(write(39, 'Port Kahlotus').slice(0, -4));
  expect([state, report.gate?.map(({ code }) => code)]).toEqual(['file-held', ['cut-file']]);
  expect((await importRoll(`${write(39, 'Port Kahlotus')}\n`)).state).toBe('done');
});

test('a mail house’s file that breaks off waits too', async () => {
  await importBallots(list(9, 'Not signed'));
  const write = (count: number, serial: number) =>
    [
      'registration_id,election,outbound_imb',
      ...Array.from({ length: count }, (_, n) => `${n},7,00270123456${serial + n}`),
    ].join('\n');
  const importPieces = (content: string) => office.import('beacon-mailpieces', content);
  for (const count of [1, 2, 3])
    expect((await importPieces(`${write(count, 100_000_000)}\n`)).state).toBe('done');
  const { state, report } = await importPieces(write(7, 100_000_000));
  expect([state, report.gate?.map(({ code }) => code)]).toEqual(['file-held', ['cut-file']]);
});

describe('totals below the rows', () => {
  const rows = (last: number, first = 0) =>
    Array.from(
      { length: last - first },
      (_, n) => `|||${first + n}|||||||MA|9/20/2026|||10/5/2026||||||`,
    );
  const maine = [
    'MUNICIPALITY|CH|DES|VOTER ID|P|W/P|CG|SS|SR|CC|REQTYPE|REQDATE|REQDEN|ISSTYPE|ISSDATE|RECTYPE|RECDATE|DUP|ACC OR REJ|REJRSN|',
  ];
  const importMaine = (lines: readonly string[], end = '\n') =>
    office.import('me-absentee', lines.join('\n') + end, { election: '7' });

  test('may end the file without a line end', async () => {
    const { state, report } = await importMaine([...maine, ...rows(9), 'Totals|9'], '');
    expect(state).toBe('done');
    expect(report).toMatchObject({ rows: { added: 9, refused: 0 }, refusals: [] });
  });

  test('may have more lines below them', async () => {
    const totals = ['Totals|9', 'Issued|9', '', `TOTAL${'|'.repeat(20)}`, '|'.repeat(20)];
    const { report } = await importMaine([...maine, ...rows(9), ...totals]);
    expect(report).toMatchObject({ rows: { added: 9, refused: 0 }, refusals: [] });
  });

  test('and rows below them, as in two files in one, are refused with their reason', async () => {
    const { state, report } = await importMaine([...maine, ...rows(6), 'Totals|6', ...rows(9, 6)]);
    expect(state).toBe('done');
    expect(report).toMatchObject({
      rows: { added: 6, refused: 3 },
      refusals: [
        { reason: 'comes after the totals: are these two files in one?', count: 3, line: 9 },
      ],
    });
  });

  test('and the same file again below them is refused as a whole', async () => {
    const once = [...maine, ...rows(9), 'Totals|9'];
    const { state, report } = await importMaine([...once, ...once]);
    expect(state).toBe('refused');
    expect(report.refusals.map(({ count, line }) => [count, line])).toEqual([
      [9, 13],
      [1, 12],
    ]);
  });
});
