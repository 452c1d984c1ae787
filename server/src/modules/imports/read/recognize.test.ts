import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createTestOffice } from '../../../../../testing/office.ts';
import { listFormats, recognizeFormat } from '../index.ts';

test('importing Pennsylvania’s public set says that no row of it can be tied to a voter, and what to ask for', async () => {
  const published =
    'countyname,party,dateofbirth,mailapplicationtype,appissuedate,appreturndate,ballotsentdate,ballotreturneddate,congressional,senate,legislative\nADAMS,D,1/1/1950,,,,,,,,\n';
  const advice = expect.stringMatching(/voter_id.* no voter ID.*Ask the county for its own export/);
  const file = { name: 'set.csv', open: () => Readable.from([Buffer.from(published)]) };
  expect(await recognizeFormat(file, await listFormats())).toEqual({ ok: false, message: advice });

  const office = await createTestOffice();
  const { state, report } = await office.import('pa-ballots', published);
  expect(state).toBe('refused');
  expect(report.refusedBecause).toEqual(advice);
  await office.close();
});

test('of two formats that fit, a file has the format that knows more of its columns, and neither where both know as many', async () => {
  const [ballots] = (await listFormats()).filter(({ name }) => name === 'beacon-ballots');
  if (!ballots) throw new Error('The format is gone.');
  const required = ['Voter', 'Status'];
  const [fewer, more] = [{}, { reason: 'Why', ballot_number: 'Number' }].map((fields, place) => ({
    ...ballots,
    ...{ name: `own-${place}`, required, aliases: {}, status: undefined },
    fields: { registration_id: 'Voter', election: 'Status', ...fields },
  }));
  const recognize = async (header: string, ...formats: (typeof ballots)[]) => {
    const file = { name: 'own.csv', open: () => Readable.from([Buffer.from(`${header}\n`)]) };
    const found = await recognizeFormat(file, formats);
    return found.ok ? found.format.name : found.message;
  };
  if (!fewer || !more) throw new Error('There are two formats.');
  for (const both of [
    [fewer, more],
    [more, fewer],
  ] as const) {
    expect(await recognize('Voter,Status,Number,Why', ...both)).toBe('own-1');
    expect(await recognize('Voter,Status', ...both)).toMatch(
      /^The file could be own-\d or own-\d\. Say which/,
    );
  }
});

test('a file of another kind is divided as its format writes, unless another way divides it more', async () => {
  const office = await createTestOffice();
  const divide = async (header: string) =>
    (await office.import('beacon-voters', `${header}\n1,Ann;Lee;2\n`)).report.refusedBecause;
  expect(await divide('voter,first;last')).toMatch(/Its columns are: voter, first;last$/);
  expect(await divide('voter,first;last;age')).toMatch(/Its columns are: voter,first, last, age$/);
  await office.close();
});
