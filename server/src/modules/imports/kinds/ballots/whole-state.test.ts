import { afterEach, beforeEach, expect, test } from 'vitest';
import { openListOffice, range, reasonsOf } from '../../../../../../testing/ballot-list.ts';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';

let office: TestOffice;
beforeEach(async () => {
  office = await openListOffice(40);
});
afterEach(() => office.close());

const header =
  'Ballot ID,Voter ID,County,Election,Ballot Status,Challenge Reason,Received Date,Return Method';

/** A state's list, with 30 ballots of a county and some of others. */
function importState(county: string, status = 'Received') {
  const row = (id: number, of: string) => `9${id},${id},${of},7,${status},,10/22/2026,Mail`;
  const others = ['KING', 'KING', 'PIERCE'].map((other, n) => row(1000 + n, other));
  const rows = range(0, 30).map((id) => row(id, county));
  return office.import('wa-ballots', [header, ...rows, ...others, ''].join('\n'));
}

test('a state’s list without any row of the county waits once it had some', async () => {
  const first = await importState('ADAMS');
  expect([reasonsOf(first), first.report.warnings]).toEqual([['done'], []]);
  const other = await importState('ADAMS-RITZVILLE', 'Accepted');
  expect(reasonsOf(other)).toEqual(['file-held', 'file-shrank']);
  expect(other.report.gate?.[0]?.detail).toBe(
    'It has 0 rows; the one before it had 30, and your limit is 10% fewer.',
  );
});

test('a state’s list without any row of the county says so from the first file on', async () => {
  const { state, report } = await importState('ADAMS-RITZVILLE');
  expect([state, report.rows]).toMatchObject(['done', { read: 33, passedOver: 33 }]);
  expect(report.warnings).toEqual([
    {
      message:
        'of other counties, such as ADAMS-RITZVILLE, and none of Adams county. Does the file write the county’s name otherwise?',
      count: 33,
    },
  ]);
});

test('a county is known by its name with and without the accent, and by its abbreviation', async () => {
  const other = await createTestOffice({ subdomain: 'dona-ana', county: 'Doña Ana' }, office);
  await other.addElection('7', '2026-11-03');
  const roll = 'registration_id,firstname,lastname,birthdate,zipcode\n';
  await other.import(
    'beacon-voters',
    `${roll}1,Ann,Lee,01/02/1950,88001\n2,Bo,Lee,01/02/1950,88001\n`,
  );
  const rows = [
    '91,1,DONA ANA,7,Received,,10/22/2026,Mail',
    '92,2,Doña Ana Co.,7,Received,,10/22/2026,Mail',
  ];
  const { report } = await other.import('wa-ballots', [header, ...rows, ''].join('\n'));
  expect(report.rows).toMatchObject({ added: 2, passedOver: 0 });
  await other.close();
});
