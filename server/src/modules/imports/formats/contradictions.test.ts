import { expect, test } from 'vitest';
import { readFormat } from './format.ts';

const common = { name: 'own', title: 'Own', source: 'test', required: ['ID'] };
const status = { columns: ['STATUS'], rules: [] };
const sound = {
  voters: { holds: 'voters', fields: { registration_id: 'ID', lastname: 'LAST' } },
  ballots: { holds: 'ballots', fields: { registration_id: 'ID', ballot_number: 'NO' }, status },
  mailpieces: { holds: 'mailpieces', fields: { registration_id: 'ID', inbound_imb: 'IMB' } },
  scans: { holds: 'scans', fields: { imb: 'IMB', scanned_at: 'AT' } },
};

/** The places of a format's contradictions. */
function placesOf(kind: keyof typeof sound, more: object): string[] {
  const read = readFormat({ ...common, ...sound[kind], ...more });
  return read.ok ? [] : read.problems.map(({ at }) => at);
}

const kinds = Object.keys(sound) as (keyof typeof sound)[];

test.each(kinds)('a format of %s with what it needs is sound', (kind) => {
  expect(placesOf(kind, {})).toEqual([]);
});

test.each([
  ['voters', { fields: { registration_id: 'ID' } }, 'fields.lastname'],
  ['voters', { fields: { lastname: 'LAST' } }, 'fields.registration_id'],
  ['ballots', { fields: {} }, 'fields.registration_id'],
  ['mailpieces', { fields: { imb: 'IMB' } }, 'fields.registration_id'],
  ['scans', { fields: { scanned_at: 'AT' } }, 'fields.imb'],
  ['scans', { fields: { imb: 'IMB' } }, 'fields.scanned_at'],
  ['mailpieces', { fields: { registration_id: 'ID' } }, 'fields'],
  ['ballots', { status: undefined }, 'status'],
  ['scans', { fields: { ...sound.scans.fields, lastname: 'LAST' } }, 'fields.lastname'],
  ['voters', { fields: { ...sound.voters.fields, imb: 'IMB' } }, 'fields.imb'],
  ['ballots', { filled_later: ['ID'] }, 'filled_later'],
  ['voters', { filled_later: ['ID'] }, 'filled_later'],
  ['voters', { missing_rows: 'succeeded' }, 'missing_rows'],
  ['mailpieces', { first_statuses: ['sent'] }, 'first_statuses'],
  ['ballots', { row_means: 'printed' }, 'row_means'],
  ['voters', { widths: [5, 20], columns: ['ID', 'LAST'] }, 'widths'],
  ['voters', { widths: [5], columns: ['ID', 'LAST'], header: false }, 'widths'],
  ['voters', { preamble: ['Report'], header: false, columns: ['ID', 'LAST'] }, 'preamble'],
  ['voters', { file_date: { after: 'As of' } }, 'file_date.after'],
  [
    'voters',
    { fields: { ...sound.voters.fields, firstname: { latest: ['A', 'B'] } } },
    'fields.firstname',
  ],
  ['voters', { header: false }, 'columns'],
] as const)('a format of %s with %j is refused for its %s', (kind, more, place) => {
  expect(placesOf(kind, more)).toEqual([place]);
});

test.each([
  ['ballots', { filled_later: ['NO'] }],
  ['ballots', { missing_rows: 'succeeded', first_statuses: ['sent'] }],
  ['mailpieces', { row_means: 'printed', fields: { registration_id: 'ID', imb: 'IMB' } }],
  ['voters', { widths: [5, 20], columns: ['ID', 'LAST'], header: false }],
  ['voters', { preamble: ['Report'], file_date: { after: 'As of' } }],
  ['voters', { fields: { ...sound.voters.fields, birthdate: { latest: ['A', 'B'] } } }],
  ['voters', { header: false, columns: ['ID', 'LAST'] }],
] as const)('a format of %s may have %j', (kind, more) => {
  expect(placesOf(kind, more)).toEqual([]);
});
