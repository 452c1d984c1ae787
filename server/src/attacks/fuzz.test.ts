import { type Call, type CallName, calls } from '@ballot-beacon/contract/calls';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../testing/api.ts';
import {
  bodiesOf,
  foreignMark,
  fuzz,
  planFuzz,
  queriesOf,
  urlOf,
  visitorAddress,
} from '../../../testing/fuzz.ts';
import { strangeTexts } from '../../../testing/strange-values.ts';

const { parts, partRequests } = planFuzz(1_500);

let api: TestApi;
let guid: string;
const cookies: string[] = [''];
const rejections: unknown[] = [];
const noteRejection = (reason: unknown) => void rejections.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', noteRejection);
  api = await createTestApi();
  const adams = await addOffice(api.test, { subdomain: 'adams' });
  const lake = await addOffice(api.test, { subdomain: 'lake', is_token_required: true });
  const ann = await addVoter(api.test, adams);
  const ballotId = await addBallot(api.test, adams, ann, {
    events: [{ status: 'sent' }, { status: null }],
  });
  const foreign = await addVoter(api.test, lake, { registration_id: foreignMark, token: 'token' });
  await addBallot(api.test, lake, foreign, {
    election: foreignMark,
    events: [{ status: 'accepted' }],
  });
  const { rows } = await api.test.database.systemPool.query<{ guid: string }>(
    'insert into ballot_codes (account_id, ballot_id) values ($1, $2) returning guid',
    [adams, ballotId],
  );
  guid = rows[0]?.guid ?? '';
  await renewSessions();
  cookies.push(
    `beacon_session=${'A'.repeat(43)}`,
    'beacon_session=%00; language=spanish',
    'language=\u00ff; =;;=',
  );
});
/** The requests log out and sign in again: without new sessions most of them would have none. */
async function renewSessions(): Promise<void> {
  for (let index = 1; index <= 3; index += 1) {
    const browser = api.browser('adams.localhost');
    const answer = await browser.post('/api/voter/session', typed());
    expect(answer.statusCode, answer.body).toBe(201);
    cookies[index] = `beacon_session=${browser.cookies.get('beacon_session')}`;
  }
}
afterAll(async () => {
  process.off('unhandledRejection', noteRejection);
  await api.close();
});

const languages = fc.constantFrom('english', 'spanish', 'SPANISH', 'thai', 'es_US', 'en_US');

const goodBodies: Partial<Record<CallName, fc.Arbitrary<Record<string, unknown>>>> = {
  createSession: fc.record(
    {
      firstname: fc.constantFrom('Ann', 'ann', 'Bea', ''),
      lastname: fc.constantFrom('Rivera', 'rivera', 'Nobody'),
      zipcode: fc.constant('34811'),
      birthdate: fc.constantFrom('02-03-1970', '2/3/1970', '02-30-1970'),
      recaptcha: fc.constant('off'),
      provided_voter_id: fc.constantFrom('R1', 'X'),
      token: fc.constantFrom('token', 'x'),
    },
    { requiredKeys: ['lastname', 'zipcode', 'birthdate', 'recaptcha'] },
  ),
  updatePreferences: fc.record(
    {
      email: fc.constantFrom('a@example.org', 'A@EXAMPLE.org', '', null, 'x@', 'b@example.org'),
      phone_sms: fc.constantFrom('352-555-0100', '(352) 555-0101', '', null, 'abc'),
      phone_voice: fc.constantFrom('352-555-0102', '', null),
      email_opt_in: fc.boolean(),
      sms_opt_in: fc.boolean(),
      voice_opt_in: fc.boolean(),
      sms_do_not_contact_before: fc.constantFrom('08:00', '20:00', null, '25:00'),
      sms_do_not_contact_after: fc.constantFrom('08:00', '20:00', null),
      language_preference: languages,
      code: strangeTexts,
    },
    { requiredKeys: [] },
  ),
  unsubscribe: fc.record({ key: strangeTexts, email: fc.constantFrom('a@example.org', 'x') }),
  createQrSession: fc.record({
    ballot_guid: fc.oneof(fc.constant('GUID'), strangeTexts),
    date_of_birth: fc.constantFrom('02-03-1970', '02-04-1970', 'x'),
  }),
  checkMessage: fc.record({ code: fc.oneof(fc.constant('7K3M-9QX2'), strangeTexts) }),
  countView: fc.record({ name: fc.constantFrom('page:faq', 'page:x') }),
};

const queryValues = fc.oneof(
  languages,
  fc.constantFrom('1', '-1', 'main', 'messages', '1000', 'a@example.org'),
);

const anyRequest = fc.constantFrom(...(Object.keys(calls) as CallName[])).chain((name) =>
  fc.record({
    name: fc.constant(name),
    parameter: fc.oneof(fc.constant('GUID'), languages, strangeTexts),
    query: queriesOf(calls[name], queryValues),
    body: bodiesOf(goodBodies[name]),
    cookie: fc.nat(),
    host: fc.constantFrom(
      'adams.localhost',
      'adams.localhost',
      'lake.localhost',
      'localhost',
      'nowhere.localhost',
      'evil.test',
    ),
    address: fc.nat(65_535),
    headers: fc.dictionary(
      fc.constantFrom(
        'accept',
        'accept-encoding',
        'accept-language',
        'if-none-match',
        'origin',
        'sec-fetch-site',
        'x-forwarded-for',
        'range',
      ),
      fc.oneof(
        fc.constantFrom('*', 'same-origin', 'br, gzip', '"x"', 'bytes=0-1'),
        fc.string({ maxLength: 40 }).filter((text) => /^[\x20-\x7e]*$/.test(text)),
      ),
      { maxKeys: 2 },
    ),
    contentType: fc.constantFrom(
      'application/json',
      'application/json',
      'application/json',
      'application/json; charset=utf-16',
      'application/x-www-form-urlencoded',
      'text/plain',
      '',
    ),
  }),
);
type AnyRequest = typeof anyRequest extends fc.Arbitrary<infer Value> ? Value : never;

/** Of one in some 300 requests by chance, and so in one run of a hundred none. */
const namesNobody: AnyRequest = {
  ...{ name: 'createSession', parameter: 'GUID', query: [], cookie: 0, address: 1 },
  body: { ...typed(), lastname: 'Nobody' },
  ...{ host: 'adams.localhost', headers: {}, contentType: 'application/json' },
};

function toInject(asked: AnyRequest): InjectOptions {
  const { name, parameter, query, body, cookie, host, address, headers, contentType } = asked;
  const call: Call = calls[name];
  const payload = JSON.stringify(body)?.replace('"GUID"', JSON.stringify(guid));
  return {
    method: call.method,
    url: urlOf(call, parameter === 'GUID' ? guid : parameter, query),
    remoteAddress: visitorAddress(address),
    headers: {
      ...headers,
      host,
      cookie: cookies[cookie % cookies.length] ?? '',
      ...(call.method !== 'GET' && contentType && { 'content-type': contentType }),
    },
    ...(call.method !== 'GET' && payload !== undefined && { payload }),
  };
}

test.each(parts)(
  `${partRequests} requests of any shape at every call: no 5xx, no crash, nothing of another office (seed %i)`,
  async (seed) => {
    const statuses = await fuzz({
      seed,
      requests: partRequests,
      anyRequest,
      first: [namesNobody],
      renewSessions,
      inject: (asked) => api.app.inject(toInject(asked)),
      callOf: ({ name }) => calls[name],
    });
    expect(rejections).toEqual([]);
    // The run was worth something: all kinds of answers were met.
    for (const status of [200, 204, 401, 403, 404, 421, 422]) {
      expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(0);
    }
    expect((await api.browser('adams.localhost').get('/api/voter/branding')).statusCode).toBe(200);
  },
  1_200_000,
);
