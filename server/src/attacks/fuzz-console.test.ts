import { flagKeys } from '@ballot-beacon/contract/flags';
import {
  type OfficeCall,
  type OfficeCallName,
  officeCalls,
} from '@ballot-beacon/contract/office/calls';
import { Role } from '@ballot-beacon/contract/office/roles';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, addVoter, createTestApi, type TestApi } from '../../../testing/api.ts';
import {
  bodiesOf,
  foreignMark,
  fuzz,
  planFuzz,
  queriesOf,
  urlOf,
  visitorAddress,
} from '../../../testing/fuzz.ts';
import { addPerson } from '../../../testing/people.ts';
import { strangeTexts } from '../../../testing/strange-values.ts';
import type { AccountId } from '../platform/ids.ts';

/** As in fuzz.test.ts, of which this is the console's part. */
const { parts, partRequests } = planFuzz(600);

const roles = Role.options;
let api: TestApi;
let adams: AccountId;
/** Nobody, a viewer, an administrator with every role, made-up ones. */
const cookies = ['', '', '', `beacon_office=${'A'.repeat(43)}`, 'beacon_office=%00; =;;='];

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  await addVoter(api.test, adams);
  await addVoter(api.test, lake, { registration_id: foreignMark, lastname: foreignMark });
  await renewSessions();
});
afterAll(() => api.close());

/** The requests sign people out, take their roles and remove them. */
async function renewSessions(): Promise<void> {
  const office = { accountId: adams, host: 'adams.localhost' };
  for (const [index, given] of [
    [1, ['viewer']],
    [2, [...roles]],
  ] as const) {
    const { browser } = await addPerson(api, office, 'Ada Wu', given);
    cookies[index] = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const election = {
  name: fc.constantFrom('General', ''),
  election_date: fc.constantFrom('2026-11-03', '2026-02-30'),
  is_active: fc.boolean(),
  return_deadline: fc.constant(null),
  kind: fc.constantFrom(null, 'general'),
  certified_on: fc.constant(null),
  canvassed_on: fc.constantFrom(null, '2026-11-20'),
};
const settingsText = fc.oneof(
  fc.constantFrom('{"accent_color":"#112233"}', '{"subdomain":"lake"}', '{"languages":[]}', '{'),
  strangeTexts,
);
const goodBodies: Partial<Record<OfficeCallName, fc.Arbitrary<Record<string, unknown>>>> = {
  invitePerson: fc.record({
    name: fc.constantFrom('Bo Li', '', 'x'.repeat(300)),
    roles: fc.subarray([...roles, 'owner']),
  }),
  changeRoles: fc.record({
    roles: fc.subarray([...roles]),
    from: fc.option(fc.subarray([...roles]), { nil: undefined }),
  }),
  findVoters: fc.record({
    text: fc.oneof(fc.constantFrom('Rivera', 'R1', foreignMark), strangeTexts),
  }),
  releaseFile: fc.record({
    reason: strangeTexts,
    state: fc.constantFrom(undefined, 'file-held', 'messages-held', 'done'),
  }),
  returnFile: fc.record({ reason: strangeTexts }),
  correctFile: fc.record({ reason: strangeTexts }),
  startUpload: fc.record({
    file_name: fc.oneof(fc.constant('roll.csv'), strangeTexts),
    size: fc.constantFrom(0, 1, 900, 1e12),
  }),
  checkUpload: fc.record({
    format: fc.constantFrom(null, 'beacon-voters', 'none'),
    election: fc.constant(null),
    is_full: fc.boolean(),
  }),
  importUpload: fc.record({ check: fc.nat(3), ask_because: fc.option(strangeTexts) }),
  readInvitation: fc.record({ token: strangeTexts }),
  addElection: fc.record({ ...election, number: fc.constantFrom('G-1', 'G-2') }),
  changeElection: fc.record(election, { requiredKeys: [] }),
  setFlag: fc.record({ to: fc.constantFrom('on', 'off', 'default') }),
  undoFlag: fc.record({ audit_id: fc.nat(200) }),
  checkSettings: fc.record({ text: settingsText }),
  changeSettings: fc.record({ text: settingsText, version: strangeTexts }),
  createOfficeSession: fc.record({ passkey: fc.jsonValue() }),
};

const queryValues = fc.constantFrom('1', sha256, '2026-11-03', 'status', 'open', 'email', 'G-1');

const anyRequest = fc
  .constantFrom(...(Object.keys(officeCalls) as OfficeCallName[]))
  .chain((name) =>
    fc.record({
      name: fc.constant(name),
      parameter: fc.oneof(
        fc.constantFrom('1', '2', '3', '0', '-1', '9007199254740993', ...flagKeys),
        strangeTexts,
      ),
      query: queriesOf(officeCalls[name], queryValues),
      body: bodiesOf(goodBodies[name]),
      cookie: fc.nat(),
      host: fc.constantFrom(
        'adams.localhost',
        'adams.localhost',
        'adams.localhost',
        'lake.localhost',
        'localhost',
        'evil.test',
      ),
      address: fc.nat(65_535),
      contentType: fc.constantFrom(
        'application/json',
        'application/json',
        'application/octet-stream',
        'text/plain',
        '',
      ),
    }),
  );
type AnyRequest = typeof anyRequest extends fc.Arbitrary<infer Value> ? Value : never;

/** By an administrator, who may: the answer 204, which other calls give only for what a run must have made before. */
const setsFlag: AnyRequest = {
  name: 'setFlag',
  parameter: 'voterOutage',
  query: [],
  body: { to: 'on' },
  cookie: 2,
  host: 'adams.localhost',
  address: 1,
  contentType: 'application/json',
};

function toInject({
  name,
  parameter,
  query,
  body,
  cookie,
  host,
  address,
  contentType,
}: AnyRequest): InjectOptions {
  const call: OfficeCall = officeCalls[name];
  const payload = JSON.stringify(body);
  return {
    method: call.method,
    url: urlOf(call, parameter, query),
    remoteAddress: visitorAddress(address),
    headers: {
      host,
      cookie: cookies[cookie % cookies.length] ?? '',
      ...(call.method !== 'GET' && contentType && { 'content-type': contentType }),
    },
    ...(call.method !== 'GET' && payload !== undefined && { payload }),
  };
}

test.each(parts)(
  `${partRequests} requests of any shape at every call of the console: no 5xx, nothing of another office (seed %i)`,
  async (seed) => {
    const statuses = await fuzz({
      seed,
      requests: partRequests,
      anyRequest,
      first: [setsFlag],
      renewSessions,
      inject: (asked) => api.app.inject(toInject(asked)),
      callOf: ({ name }) => officeCalls[name],
    });
    for (const status of [200, 204, 401, 403, 404, 421, 422])
      expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(0);
  },
  1_200_000,
);
