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
import { planFuzz } from '../../../testing/fuzz.ts';
import { addPerson } from '../../../testing/people.ts';
import { strangeTexts, strangeValues } from '../../../testing/strange-values.ts';
import type { AccountId } from '../platform/ids.ts';

/** As in fuzz.test.ts, of which this is the console's part. */
const { parts, partRequests } = planFuzz(600);
const foreignMark = 'FOREIGN-MARK';

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
const goodBodies: Partial<Record<OfficeCallName, fc.Arbitrary<Record<string, unknown>>>> = {
  invitePerson: fc.record({
    name: fc.constantFrom('Bo Li', '', 'x'.repeat(300)),
    roles: fc.subarray([...roles, 'owner']),
  }),
  changeRoles: fc.record({ roles: fc.subarray([...roles]) }),
  findVoters: fc.record({
    search: fc.oneof(fc.constantFrom('Rivera', 'R1', foreignMark), strangeTexts),
  }),
  releaseFile: fc.record({ reason: strangeTexts }),
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
  createOfficeSession: fc.record({ passkey: fc.jsonValue() }),
};

const anyRequest = fc
  .constantFrom(...(Object.keys(officeCalls) as OfficeCallName[]))
  .chain((name) => {
    const good = goodBodies[name] ?? fc.constant({});
    const spoiled = fc
      .tuple(good, fc.array(fc.tuple(fc.nat(9), strangeValues), { minLength: 1, maxLength: 3 }))
      .map(([body, changes]) => {
        const keys = [...Object.keys(body), 'extra'];
        return {
          ...body,
          ...Object.fromEntries(changes.map(([at, value]) => [keys[at % keys.length], value])),
        };
      });
    return fc.record({
      name: fc.constant(name),
      parameter: fc.oneof(
        fc.constantFrom('1', '2', '3', '0', '-1', '9007199254740993'),
        strangeTexts,
      ),
      query: fc.array(
        fc.tuple(
          fc.constantFrom('before', 'sha256', '__proto__', 'x[]'),
          fc.oneof(fc.constantFrom('1', sha256), strangeTexts),
        ),
        { maxLength: 3 },
      ),
      body: fc.oneof(
        { weight: 3, arbitrary: good },
        { weight: 3, arbitrary: spoiled },
        fc.jsonValue(),
        strangeTexts,
      ),
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
    });
  });
type AnyRequest = typeof anyRequest extends fc.Arbitrary<infer Value> ? Value : never;

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
  const path = call.path.replace(/:\w+/g, () => encode(parameter));
  const search = query.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&');
  const payload = JSON.stringify(body);
  return {
    method: call.method,
    url: `${path}${search && `?${search}`}`,
    remoteAddress: `10.9.${address >> 8}.${address & 255}`,
    headers: {
      host,
      cookie: cookies[cookie % cookies.length] ?? '',
      ...(call.method !== 'GET' && contentType && { 'content-type': contentType }),
    },
    ...(call.method !== 'GET' && payload !== undefined && { payload }),
  };
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

test.each(parts)(
  `${partRequests} requests of any shape at every call of the console: no 5xx, nothing of another office (seed %i)`,
  async (seed) => {
    const statuses = new Map<number, number>();
    let made = 0;
    await fc.assert(
      fc.asyncProperty(anyRequest, async (asked) => {
        made += 1;
        if (made % 200 === 0) await renewSessions();
        const answer = await api.app.inject(toInject(asked));
        statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
        expect(answer.statusCode, answer.body).toBeLessThan(500);
        // What was typed may come back; what was not, may not.
        if (!JSON.stringify(asked).includes(foreignMark))
          expect(answer.body).not.toContain(foreignMark);
        expect(answer.headers['x-content-type-options']).toBe('nosniff');
        if (answer.statusCode >= 400) {
          expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
          expect(answer.json()).toMatchObject({ status: answer.statusCode });
        }
      }),
      { numRuns: partRequests, seed, endOnFailure: partRequests > 5_000 },
    );
    // A few hundred requests do not reach every answer.
    for (const status of [200, 401, 403, 404, 421, 422, ...(partRequests > 5_000 ? [204] : [])])
      expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(0);
  },
  1_200_000,
);
