import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { base, logOutPath } from '@ballot-beacon/contract/pages';
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
import { encode, foreignMark, fuzz, planFuzz, visitorAddress } from '../../../testing/fuzz.ts';
import { strangeTexts, strangeValues } from '../../../testing/strange-values.ts';
import { signAsTwilio } from '../../../testing/twilio.ts';
import { drawCredential, pushPath } from '../modules/scan-push/index.ts';
import { ensurePageIsBuilt } from '../platform/page-build.ts';

/** As in fuzz.test.ts, of which this is the part outside the contract's calls: pages, providers, pushed scans, flags. */
const { parts, partRequests } = planFuzz(800);
const host = 'adams.localhost';
const channels = {
  TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
  TWILIO_AUTH_TOKEN: 'an-auth-token-of-twilio-for-tests',
  SMS_HTTP_URL: 'http://127.0.0.1:9/sms',
  SMS_HTTP_TOKEN: 'a-token-of-the-second-provider',
  MAIL_EVENTS_TOKEN: 'a-token-of-the-mail-system',
};

let api: TestApi;
let authorization: string;
let cookie: string;

beforeAll(async () => {
  await ensurePageIsBuilt();
  api = await createTestApi({
    pageDirectory: fileURLToPath(new URL('../../../web/dist', import.meta.url)),
    channels,
  });
  const adams = await addOffice(api.test, {
    subdomain: 'adams',
    short_code: '41575',
    from_voice: '+13525550000',
  });
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  await addBallot(api.test, adams, await addVoter(api.test, adams), {
    events: [{ status: 'sent' }],
  });
  await addVoter(api.test, lake, { registration_id: foreignMark, lastname: foreignMark });
  const { user, password } = await api.test.database.transaction((tx) =>
    drawCredential(tx, adams, api.clock.now()),
  );
  authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  await renewSession();
}, 180_000);
afterAll(() => api.close());

async function renewSession(): Promise<void> {
  const browser = api.browser(host);
  const answer = await browser.post('/api/voter/session', typed());
  expect(answer.statusCode, answer.body).toBe(201);
  cookie = `beacon_session=${browser.cookies.get('beacon_session')}`;
  await browser.patch('/api/voter/information/me', {
    email: 'a@example.org',
    email_opt_in: true,
    phone_sms: '352-555-0100',
    sms_opt_in: true,
  });
}

/** A body as its caller sends it, in whole or with some members replaced. */
function bodyOf(good: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const whole = fc.record(good, { requiredKeys: [] });
  const spoiled = fc
    .tuple(
      whole,
      fc.array(fc.tuple(fc.constantFrom(...Object.keys(good), '__proto__'), strangeValues), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([body, changes]) => ({ ...body, ...Object.fromEntries(changes) }));
  return fc.oneof(
    { weight: 3, arbitrary: fc.record(good) },
    { weight: 4, arbitrary: spoiled },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: strangeTexts },
  );
}

const phone = fc.constantFrom('+13525550100', '+13525550199', 'anonymous', '');
const numbered = fc.constantFrom(
  '',
  '?message=1',
  '?message=2',
  '?message=0',
  '?message=1&message=2',
);
const notText = fc.constantFrom({ toString: 1 }, { toString: null }, [], [[]], null, 7);
const twilioBody = bodyOf({
  MessageSid: fc.constantFrom('SM1', 'SM2'),
  CallSid: fc.constantFrom('CA1', 'CA2'),
  From: phone,
  To: fc.constantFrom('41575', '+13525550000'),
  Body: fc.constantFrom('YES', 'STOP', 'START', 'HELP', 'hello'),
  Digits: fc.constantFrom('9', '1'),
  MessageStatus: fc.constantFrom('delivered', 'failed', 'undelivered', 'sent'),
  CallStatus: fc.constantFrom('completed', 'no-answer'),
  ErrorCode: fc.constantFrom('30003', '21610'),
  // As this server's own parser of forms calls what it read.
  fields: strangeValues,
  body: strangeValues,
});
const typedBody = bodyOf({
  firstname: fc.oneof(fc.constant('Ann'), notText),
  lastname: fc.constant('Rivera'),
  zipcode: fc.constant('34811'),
  birthdate: fc.constant('02-03-1970'),
});

interface Door {
  readonly method: 'GET' | 'POST';
  readonly url: fc.Arbitrary<string>;
  readonly body: fc.Arbitrary<unknown>;
  readonly key?: 'twilio' | 'sms' | 'mail' | 'push';
}
const post = (
  url: string | fc.Arbitrary<string>,
  body: fc.Arbitrary<unknown>,
  key?: Door['key'],
): Door => ({
  method: 'POST',
  url: typeof url === 'string' ? fc.constant(url) : url,
  body,
  ...(key && { key }),
});
const get = (url: fc.Arbitrary<string>): Door => ({
  method: 'GET',
  url,
  body: fc.constant(undefined),
});
const below = (start: string) => strangeTexts.map((text) => start + encode(text));

const doors: readonly Door[] = [
  post(
    numbered.map((query) => `/api/provider/twilio/sms${query}`),
    twilioBody,
    'twilio',
  ),
  post('/api/provider/twilio/voice', twilioBody, 'twilio'),
  post(
    numbered.map((query) => `/api/provider/twilio/keypress${query}`),
    twilioBody,
    'twilio',
  ),
  post(
    numbered.map((query) => `/api/provider/twilio/status${query}`),
    twilioBody,
    'twilio',
  ),
  post(
    numbered.map((query) => `/api/provider/sms/status${query}`),
    bodyOf({ status: fc.constantFrom('delivered', 'failed-permanent'), code: strangeTexts }),
    'sms',
  ),
  post(
    '/api/provider/sms/inbound',
    bodyOf({
      id: fc.constantFrom('i1', 'i2'),
      from: phone,
      to: fc.constant('41575'),
      body: fc.constantFrom('YES', 'STOP'),
    }),
    'sms',
  ),
  post(
    '/api/provider/mail/events',
    fc.oneof(
      fc.array(
        bodyOf({
          event: fc.constantFrom('delivered', 'bounce', 'soft-bounce', 'complaint'),
          message: fc.constantFrom('beacon-1', 'beacon-2', 'beacon-999999999999999'),
          code: strangeTexts,
        }),
        { maxLength: 5 },
      ),
      strangeValues,
    ),
    'mail',
  ),
  post(
    pushPath,
    bodyOf({
      msgGrpId: fc.constant('1'),
      events: fc.array(
        bodyOf({
          imb: fc.constantFrom('0071612345600000000134811', '1'),
          scanDatetime: fc.constantFrom('2026-11-18T09:15:00', '2026-11-18'),
          scanEventCode: fc.constant('517'),
          mailPhase: strangeTexts,
        }),
        { maxLength: 3 },
      ),
    }),
    'push',
  ),
  post('/ofrep/v1/evaluate/flags', bodyOf({ context: bodyOf({ targetingKey: strangeTexts }) })),
  post(below('/ofrep/v1/evaluate/flags/'), bodyOf({ context: strangeValues })),
  post('/outbox/reply', bodyOf({ account: fc.constant('adams'), from: phone, text: strangeTexts })),
  post(base, typedBody),
  post(`${base}/login`, typedBody),
  post(logOutPath, strangeValues),
  get(below(`${base}/`)),
  get(strangeTexts.map((text) => `${base}/login?language=${encode(text)}&${encode(text)}=1`)),
  get(
    fc
      .constantFrom('dashboard', 'faq', 'preferences', 'unsubscribe', 'manifest.webmanifest')
      .map((page) => `${base}/${page}?key=%00`),
  ),
  get(below('/office/')),
  get(below('/outbox?account=')),
  get(
    fc.constantFrom(
      '/',
      '/api/audit-head',
      '/api/openapi.json',
      '/healthz',
      '/favicon.ico',
      '/office',
    ),
  ),
];

const anyRequest = fc.constantFrom(...doors).chain(({ method, url, body, key }) =>
  fc.record({
    method: fc.constant(method),
    url,
    body,
    key: fc.constant(key),
    hasKey: fc.boolean(),
    isSignedIn: fc.boolean(),
    isPacked: fc.boolean(),
    isMine: fc.boolean(),
    address: fc.nat(65_535),
    contentType: fc.constantFrom(
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded',
      'application/json',
      'application/json',
      'text/plain',
      '',
    ),
  }),
);
type AnyRequest = typeof anyRequest extends fc.Arbitrary<infer Value> ? Value : never;

/** What is not a text becomes one: a form has nothing else. */
function toForm(body: unknown): string {
  if (typeof body !== 'object' || body === null) return String(body);
  const pairs = Object.entries(body).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
  ]);
  return new URLSearchParams(pairs).toString();
}

function keysOf({ key, hasKey, url }: AnyRequest, payload: string): Record<string, string> {
  if (!hasKey) return key === 'twilio' ? { 'x-twilio-signature': 'c2lnbmF0dXJl' } : {};
  if (key === 'twilio')
    return {
      'x-twilio-signature': signAsTwilio(
        channels.TWILIO_AUTH_TOKEN,
        `http://${host}${url}`,
        payload,
      ),
    };
  if (key === 'sms') return { authorization: `Bearer ${channels.SMS_HTTP_TOKEN}` };
  if (key === 'mail') return { authorization: `Bearer ${channels.MAIL_EVENTS_TOKEN}` };
  return key === 'push' ? { authorization } : {};
}

function toInject(asked: AnyRequest): InjectOptions {
  const { method, url, body, key, isSignedIn, isPacked, isMine, address, contentType } = asked;
  const isForm = contentType.endsWith('urlencoded');
  const text = isForm ? toForm(body) : (JSON.stringify(body) ?? '');
  const packs = key === 'push' && isPacked;
  return {
    method,
    url,
    remoteAddress: isMine ? '127.0.0.1' : visitorAddress(address),
    headers: {
      host: url.startsWith('/outbox') && isMine ? 'localhost' : host,
      ...(isSignedIn && { cookie }),
      ...keysOf(asked, text),
      ...(method === 'POST' && contentType && { 'content-type': contentType }),
      ...(packs && { 'content-encoding': 'gzip' }),
    },
    ...(method === 'POST' && { payload: packs ? gzipSync(text) : text }),
  };
}

test.each(parts)(
  `${partRequests} requests of any shape to pages, and as providers make them: no 5xx, nothing of another office (seed %i)`,
  async (seed) => {
    const statuses = await fuzz({
      seed,
      requests: partRequests,
      anyRequest,
      renewSessions: renewSession,
      inject(asked) {
        // Renders of one network are limited by the minute.
        api.clock.advance(1_000);
        return api.app.inject(toInject(asked));
      },
    });
    // The run was worth something: all kinds of answers were met.
    for (const status of [200, 204, 302, 303, 401, 403, 404, 415, 422])
      expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(0);
  },
  1_200_000,
);
