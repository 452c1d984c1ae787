import type { Ballot, BallotStatusProgress } from '@ballot-beacon/contract/ballot-status-progress';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApi, type TestApi, typed } from '../../../../testing/api.ts';
import { addLoadingOffice } from '../../../../testing/api-imports.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
  // The files and scans are of days before today.
  api.clock.set(new Date().toISOString());
});
afterAll(() => api.close());

const daysAgo = (days: number) =>
  Temporal.Now.plainDateISO('America/New_York').subtract({ days }).toString();
const sentOn = daysAgo(40);
const outbound = '00716123456000000001';
const inbound = '00777123456000000001';

/** An office whose one voter has a ballot that was mailed forty days ago, for an election in two months. */
async function createOffice(
  subdomain: string,
  settings: Record<string, unknown> = {},
  imbs = `${outbound},${inbound}`,
) {
  const office = await addLoadingOffice(api, { subdomain, ...settings }, daysAgo(-60));
  async function load(format: string, content: string): Promise<void> {
    expect(await office.load(format, content)).not.toMatch(/refused|file-held/);
  }
  await load(
    'beacon-voters',
    'registration_id,firstname,lastname,birthdate,zipcode\n1,Ann,Rivera,02/03/1970,34811\n2,Bo,Lee,02/03/1971,34811',
  );
  await load('beacon-ballots', `registration_id,election,status,sent_on\n1,7,sent,${sentOn}`);
  await load('beacon-mailpieces', `registration_id,election,outbound_imb,inbound_imb\n1,7,${imbs}`);
  return {
    load,
    scan: (...scans: { imb?: string; at: string }[]) =>
      load(
        'usps-iv-mtr',
        JSON.stringify({
          msgGrpId: String(scans.length),
          events: scans.map(({ imb = outbound, at }) => ({
            imb: `${imb}348111234`,
            scanDatetime: `${at}T09:15:00`,
            mailPhase: '1a',
            handlingEventType: 'A',
            scanEventCode: '517',
            scanFacilityCity: 'PORT ALDEN',
            scanFacilityState: 'FL',
            scanFacilityZip: '34811',
          })),
        }),
      ),
    async show(): Promise<Ballot | undefined> {
      const browser = api.browser(`${subdomain}.localhost`);
      await browser.post('/api/voter/session', typed());
      const answer = await browser.get('/api/voter/ballot-status-progress/me?language=english');
      return answer.json<BallotStatusProgress>().ballots[0];
    },
  };
}

/** A scan of some other envelope, which shows that the feed is alive. */
const other = (days: number) => ({ imb: '00716123456000000009', at: daysAgo(days) });

test('a voter whose ballot was mailed and never seen reads what is known and what to do, until a scan or the office says more', async () => {
  const office = await createOffice('adams', { stopped_mail: { replacement_days: 20 } });
  expect((await office.show())?.stopped).toBeNull();

  await office.scan(other(1));
  const ballot = await office.show();
  expect(ballot?.stopped).toMatchObject({
    reason: 'not-seen',
    advice: 'wait',
    replacement_until: daysAgo(-40),
  });
  expect(ballot?.stopped?.display_known).toContain('Many envelopes are never scanned');
  expect(ballot?.stopped?.display_steps).toHaveLength(2);
  expect(ballot?.status_summary.current_status.display_next_step).toContain('Check this page');

  // The mail house may hand it over some days before the day that the office names.
  await office.scan(other(1), { at: daysAgo(44) });
  expect((await office.show())?.stopped).toMatchObject({ reason: 'not-seen' });
  await office.scan(other(1), { at: daysAgo(43) });
  expect((await office.show())?.stopped).toMatchObject({ reason: 'no-scan' });

  await office.scan(other(1), { at: daysAgo(2) });
  expect((await office.show())?.stopped).toBeNull();
});

test('a ballot seen long ago has stopped, and an office record of its return ends that', async () => {
  const office = await createOffice('bell');
  await office.scan(other(1), { at: daysAgo(30) });
  expect((await office.show())?.stopped).toMatchObject({
    reason: 'no-scan',
    replacement_until: null,
  });

  await office.scan({ imb: inbound, at: daysAgo(20) });
  expect((await office.show())?.stopped).toMatchObject({ reason: 'not-received' });

  const returned = `1,7,returned,${sentOn},${daysAgo(1)}`;
  await office.load(
    'beacon-ballots',
    `registration_id,election,status,sent_on,returned_on\n${returned}`,
  );
  expect(await office.show()).toMatchObject({
    stopped: null,
    status_summary: { current_status: { status: 'returned' } },
  });
});

test('what to do goes by the day on which the ballot must be back, where the office names one', async () => {
  const office = await createOffice('bay');
  await office.scan(other(1), { at: daysAgo(30) });
  expect((await office.show())?.stopped).toMatchObject({ advice: 'wait' });
  const mustBeBack = (date: string, time: string) =>
    api.query(
      `update elections set return_deadline = $1 where account_id =
        (select account_id from accounts where subdomain = 'bay')`,
      [JSON.stringify({ rule: 'received', date, time, place: '' })],
    );
  // From that moment on nothing can be done.
  await mustBeBack(daysAgo(0), '00:00');
  expect((await office.show())?.stopped).toBeNull();
  await mustBeBack(daysAgo(-2), '19:00');
  expect((await office.show())?.stopped).toMatchObject({ advice: 'in-person' });

  // Of two envelopes with one ballot, the last that was seen says where it is.
  const second = '00716123456000000002';
  await office.load('beacon-mailpieces', `registration_id,election,outbound_imb\n1,7,${second}`);
  await office.scan({ imb: second, at: daysAgo(2) });
  expect((await office.show())?.stopped).toBeNull();
});

test('of two envelopes with one ballot the last that was seen counts, though another was mailed later', async () => {
  const office = await createOffice('bath');
  const later = '00716123456000000003';
  await office.load(
    'beacon-mailpieces',
    `registration_id,election,mailed_on,outbound_imb\n1,7,${sentOn},${outbound}\n1,7,${daysAgo(30)},${later}`,
  );
  await office.scan(other(1), { at: daysAgo(30) });
  expect((await office.show())?.stopped).toMatchObject({ reason: 'no-scan' });
  await office.scan(other(1), { at: daysAgo(2) });
  expect((await office.show())?.stopped).toBeNull();
});

test('while USPS reports nothing, nothing has stopped', async () => {
  const office = await createOffice('clay');
  await office.scan({ at: daysAgo(30) });
  expect((await office.show())?.stopped).toBeNull();
});

test('an envelope of which only the way back has a barcode has not stopped on its way out', async () => {
  const office = await createOffice('cove', {}, `,${inbound}`);
  await office.scan(other(1));
  expect((await office.show())?.stopped).toBeNull();
});

test('a day on which an earlier envelope was expected makes none late', async () => {
  const office = await createOffice('gulf');
  await office.scan(other(1), { at: daysAgo(7) });
  const expectOn = (day: string) =>
    api.query(
      `update ballots set outbound_expected_delivery_date = $1 where account_id =
        (select account_id from accounts where subdomain = 'gulf')`,
      [day],
    );
  await expectOn(daysAgo(41));
  expect((await office.show())?.stopped).toBeNull();
  await expectOn(sentOn);
  expect((await office.show())?.stopped).toMatchObject({ reason: 'late' });
});

test('an office that switches it off shows nothing of it', async () => {
  const office = await createOffice('dade', { stopped_mail: { page: false } });
  await office.scan(other(1));
  expect((await office.show())?.stopped).toBeNull();
});

test('after Election Day nobody is asked to vote in person, where ballots that come some days later still count', async () => {
  const office = await createOffice('river');
  const move = (election: string, until: string) =>
    api.query(
      `update elections set election_date = $1, return_deadline = $2 where account_id =
        (select account_id from accounts where subdomain = 'river')`,
      [election, JSON.stringify({ rule: 'received', date: until, time: null, place: '' })],
    );
  await office.scan(other(1), { at: daysAgo(30) });
  await move(daysAgo(0), daysAgo(-7));
  expect((await office.show())?.stopped).toMatchObject({ advice: 'in-person' });
  await move(daysAgo(1), daysAgo(-1));
  expect((await office.show())?.stopped).toBeNull();
  await office.scan(other(1), { imb: inbound, at: daysAgo(20) });
  expect((await office.show())?.stopped).toMatchObject({ advice: 'call' });
});

test('a ballot that stopped on its way back is a matter of the office’s record from the very hour of the deadline', async () => {
  const office = await createOffice('creek');
  await office.scan(other(1), { imb: inbound, at: daysAgo(30) });
  expect((await office.show())?.stopped).toMatchObject({ advice: 'wait' });
  const mustBeBack = (time: string | null) =>
    api.query(
      `update elections set return_deadline = $1 where account_id =
        (select account_id from accounts where subdomain = 'creek')`,
      [JSON.stringify({ rule: 'received', date: daysAgo(0), time, place: '' })],
    );
  await mustBeBack(null);
  expect((await office.show())?.stopped).toMatchObject({ advice: 'in-person' });
  await mustBeBack('00:00');
  expect((await office.show())?.stopped).toMatchObject({ advice: 'call' });
});
