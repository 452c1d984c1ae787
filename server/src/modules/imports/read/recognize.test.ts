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
