import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import { pg } from '../../../../testing/sql.ts';

const host = 'adams.localhost:8080';
/** Before any connection is opened: each keeps the method that it finds. */
const query = vi.spyOn(pg.Client.prototype, 'query');
let api: TestApi;
beforeAll(async () => {
  api = await createTestApi({ contentKeptMs: 600_000 });
  const adams = await addOffice(api.test, { subdomain: 'adams' });
  const voter = await addVoter(api.test, adams);
  const events = [{ status: 'sent', on: '2026-10-05' }];
  await addBallot(api.test, adams, voter, {
    events: [...events, { status: 'accepted', on: '2026-10-09' }],
  });
  const other = await addVoter(api.test, adams, { lastname: 'Waiting' });
  await addBallot(api.test, adams, other, { events });
  // Connections are open, and the office's content is known.
  await api.browser(host).post('/api/voter/session', typed());
});
afterAll(async () => {
  await api.close();
  query.mockRestore();
});

/** How many messages with a statement the work sends to the database. */
async function countStatements(work: () => Promise<{ statusCode: number }>, status: number) {
  const before = query.mock.calls.length;
  expect((await work()).statusCode).toBe(status);
  return query.mock.calls.length - before;
}

test.each([
  ['whose ballot is accepted', 'Rivera', 2],
  ['whose ballot is in the mail, which may have stopped', 'Waiting', 3],
])(
  'a voter %s has a read in a few round trips, also when activity is to be noted',
  async (_, lastname, most) => {
    const browser = api.browser(host);
    await browser.post('/api/voter/session', typed({ lastname }));
    api.clock.advance(60_000);
    const counts: number[] = [];
    for (const path of ['information/me', 'ballot-status-progress/me'])
      counts.push(await countStatements(() => browser.get(`/api/voter/${path}`), 200));
    expect(counts).toEqual([2, most]);
  },
);

test('signing in takes no more round trips than it needs, and every wrong detail takes as many', async () => {
  const signIn = (more = {}) => api.browser(host).post('/api/voter/session', typed(more));
  expect(await countStatements(signIn, 201)).toBe(4);
  const wrong = [{ lastname: 'Nobody' }, { birthdate: '01/01/1950' }, { zipcode: '99999' }];
  const counts: number[] = [];
  for (const one of wrong) counts.push(await countStatements(() => signIn(one), 401));
  expect(counts).toEqual([4, 4, 4]);
});
