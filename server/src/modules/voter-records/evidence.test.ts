import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addLoadingOffice } from '../../../../testing/api-imports.ts';
import { addPerson } from '../../../../testing/people.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
  api.clock.set('2026-10-28T15:00:00Z');
});
afterAll(() => api.close());

interface RecordedBallot {
  readonly ballot_number: string;
  readonly events: readonly {
    readonly status: string | null;
    readonly source: string;
    readonly when: string | null;
  }[];
}

test('each event of a ballot stands once in the record, with its file and line, or where USPS scanned the envelope', async () => {
  const { accountId, load } = await addLoadingOffice(api, { subdomain: 'adams' }, '2026-11-24');
  const code = (voter: number) => `0071612345600000000${voter}`;
  await load(
    'beacon-voters',
    'registration_id,firstname,lastname,birthdate,zipcode\n1,Ann,Lee,02/03/1970,34811\n2,Bo,Kim,02/03/1971,34811',
  );
  await load(
    'beacon-ballots',
    'registration_id,election,status,sent_on,ballot_number\n1,7,sent,2026-10-05,A1\n2,7,sent,2026-10-05,B2',
  );
  await load(
    'beacon-mailpieces',
    `registration_id,election,outbound_imb,inbound_imb\n1,7,${code(1)},\n2,7,${code(2)},`,
  );
  await load(
    'usps-iv-mtr',
    [
      'imb,scanDatetime,mailPhase,handlingEventType,scanEventCode,scanFacilityCity,scanFacilityState,scanFacilityZip',
      `${code(1)},2026-10-06T09:15:00,1a,A,517,PORT ALDEN,FL,34811`,
      `${code(1)},2026-10-07T09:15:00,2a,A,517,BAYSIDE,FL,`,
      `${code(2)},2026-10-06T10:15:00,1a,A,517,OAKTON,FL,34700`,
    ].join('\n'),
  );
  const clerk = await addPerson(api, { accountId, host: 'adams.localhost' }, 'Cleo', ['clerk']);
  const found = await clerk.browser.post('/api/office/voter-search', { text: 'A1' });
  const { voters } = found.json<{ voters: { voter_id: number }[] }>();
  const answer = await clerk.browser.get(`/api/office/voters/${voters[0]?.voter_id}`);
  const { ballots } = answer.json<{ ballots: RecordedBallot[] }>();
  expect(ballots.map(({ ballot_number }) => ballot_number)).toEqual(['A1']);
  expect(ballots[0]?.events.map(({ status, source }) => [status, source])).toEqual([
    ['sent', 'file.csv, line 2'],
    ['in-transit', 'file.csv, PORT ALDEN FL 34811'],
    ['in-transit', 'file.csv, BAYSIDE FL'],
  ]);
  // Days, also of a scan, whose hour is on record too.
  expect(ballots[0]?.events.map(({ when }) => when)).toEqual([
    ...['2026-10-05', '2026-10-06', '2026-10-07'],
  ]);
});
