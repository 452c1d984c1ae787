import { Ajv2020 } from 'ajv/dist/2020.js';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { AxiosResponse } from 'axios';
import { type OpenAPIClient, OpenAPIClientAxios } from 'openapi-client-axios';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
} from '../../../../testing/api.ts';

/**
 * As an outside developer would do: a client generated only from the published document, over a real connection,
 * with a CAPTCHA to solve and a cookie to keep. Each answer is compared with the document.
 */
interface Answer {
  readonly status: number;
  readonly headers: AxiosResponse['headers'];
  readonly body: Record<string, unknown>;
}
interface Document {
  readonly paths: Record<string, Record<string, DocumentedOperation>>;
  readonly components: { readonly schemas: Record<string, object> };
}
interface DocumentedOperation {
  readonly operationId: string;
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

let api: TestApi;
let origin: string;
let client: OpenAPIClient;
let document: Document;
let cookie = '';

beforeAll(async () => {
  api = await createTestApi({ environment: { CAPTCHA: 'altcha', DEFAULT_ACCOUNT: 'adams' } });
  const adams = await addOffice(api.test, { subdomain: 'adams', is_token_required: true });
  for (const registration_id of ['V1', 'V2']) {
    const voterId = await addVoter(api.test, adams, {
      registration_id,
      token: `token-${registration_id}`,
    });
    await addBallot(api.test, adams, voterId, { events: [{ status: 'sent', on: '2026-11-02' }] });
    await addBallot(api.test, adams, voterId, {
      election: 'Primary',
      isActive: false,
      events: [{ status: 'accepted', on: '2026-08-02' }],
    });
  }
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const address = api.app.server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const generator = new OpenAPIClientAxios({
    definition: `${origin}/api/openapi.json`,
    withServer: { url: origin },
    // Refusals are answers, too.
    axiosConfigDefaults: { validateStatus: () => true },
  });
  client = await generator.init();
  document = generator.document as unknown as Document;
});
afterAll(() => api.close());

/** Calls an operation by its ID and compares the answer with the document. */
async function call(operationId: string, parameters = {}, requestBody?: unknown): Promise<Answer> {
  const documented = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find((operation) => operation.operationId === operationId);
  if (!documented) throw new Error(`The document has no ${operationId}.`);
  const operation = client[operationId];
  if (!operation) throw new Error(`The client has no ${operationId}.`);
  const answer = await operation(parameters, requestBody, { headers: { cookie } });
  const promised = documented.responses[answer.status] ?? documented.responses.default;
  const isRefusal = answer.status >= 400;
  const schema = isRefusal
    ? { $ref: '#/components/schemas/Problem' }
    : promised?.content?.['application/json']?.schema;
  expect(promised, `${operationId} ${answer.status}`).toBeDefined();
  if (schema) expect(problemsOf(schema, answer.data), operationId).toEqual([]);
  return { status: answer.status, headers: answer.headers, body: answer.data };
}

function problemsOf(schema: object, value: unknown): unknown[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const validate = ajv.compile({ ...schema, components: document.components });
  return validate(value) ? [] : (validate.errors ?? []);
}

async function solve(): Promise<string> {
  const { body: challenge } = await call('getCaptchaChallenge');
  const solution = await solveChallenge({ challenge: challenge as never, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

test('a client generated from the published description signs in, reads, changes and signs out', async () => {
  expect((await call('checkSession')).status).toBe(403);
  const branding = (await call('getBranding')).body;
  expect(branding).toMatchObject({ _embedded: { branding: [{ is_voter_authenticated: false }] } });

  const credentials = {
    firstname: 'Ann',
    lastname: 'Rivera',
    zipcode: '34811',
    birthdate: '02-03-1970',
    recaptcha: await solve(),
  };
  const ambiguous = await call('createSession', {}, credentials);
  expect(ambiguous.body).toMatchObject({ status: 401, 'error-code': 8889 });
  const withVoterId = { ...credentials, provided_voter_id: 'V2' };
  const asksToken = await call('createSession', {}, withVoterId);
  expect(asksToken.body).toMatchObject({ status: 401, 'error-code': 8890 });
  const signedIn = await call('createSession', {}, { ...withVoterId, token: 'token-V2' });
  expect(signedIn.status).toBe(201);
  cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';

  expect((await call('checkSession')).status).toBe(200);
  const progress = (await call('getBallotStatusProgress', { language: 'english' })).body;
  expect(progress).toMatchObject({
    ballots: [{ status_summary: { current_status: { status: 'sent' } } }],
  });
  const archive = (await call('getArchiveBallots', { page_size: -1 })).body;
  expect(archive).toMatchObject({ _embedded: { ballot: [{ status: 'accepted' }] } });
  const types = (await call('getDeliveryTypes')).body;
  expect(types).toMatchObject({
    _embedded: { delivery_type: [{ delivery_type: 'email' }, {}, {}] },
  });

  const refused = await call('updatePreferences', {}, { email: 'nobody', email_opt_in: true });
  expect(refused.body).toMatchObject({ status: 422, validation_messages: { email: {} } });
  const changed = await call(
    'updatePreferences',
    {},
    { email: 'ann@example.org', email_opt_in: true },
  );
  expect(changed.body).toMatchObject({ email: 'ann@example.org', is_confirmed: true });
  const voter = (await call('getVoterInformation')).body;
  expect(voter).toMatchObject({
    _embedded: { voter_information: [{ registration_id: 'V2', email: 'ann@example.org' }] },
  });

  expect((await call('deleteSession')).status).toBe(204);
  expect((await call('checkSession')).status).toBe(403);
});

test('a generated client reads everything that needs no session', async () => {
  cookie = '';
  for (const [operationId, parameters] of [
    ['getLanguageFile', { section: 'main', language: 'es_US' }],
    ['getNoBallotStatus', { language: 'spanish' }],
    ['getFaq', { language: 'english' }],
    ['getReleaseNotes', { page: 1, page_size: 5 }],
    ['getFlagClient', {}],
  ] as const) {
    expect((await call(operationId, parameters)).status, operationId).toBe(200);
  }
  expect((await call('getNoBallotStatus', { language: 'latin' })).status).toBe(404);
  expect((await call('countView', {}, { name: 'page:faq' })).status).toBe(204);
  expect((await call('unsubscribe', {}, { key: 'x', email: 'a@example.org' })).status).toBe(400);
  const guid = '00000000-0000-4000-8000-000000000000';
  expect((await call('validateQrCode', { guid })).status).toBe(404);
  const login = { ballot_guid: guid, date_of_birth: '02-03-1970' };
  expect((await call('createQrSession', {}, login)).status).toBe(404);
});

test('the description and its viewer are gone when the operator turns them off', async () => {
  const closed = await createTestApi({ environment: { API_DOCS: '0' } });
  for (const url of ['/api/openapi.json', '/api/docs', '/api/docs/swagger-ui-bundle.js']) {
    expect((await closed.app.inject({ url, headers: { host: 'localhost' } })).statusCode).toBe(404);
  }
  await closed.close();
  const reader = await fetch(`${origin}/api/docs`);
  expect(reader.headers.get('content-security-policy')).not.toMatch(/unsafe/);
  const page = await reader.text();
  expect(page).not.toMatch(/https?:\/\//);
  // A browser runs no script and uses no style of another type.
  for (const [, path = ''] of page.matchAll(/(?:src|href)="(\/api\/docs\/[^"]+)"/g)) {
    const type = (await fetch(`${origin}${path}`)).headers.get('content-type');
    expect(type).toMatch(path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
  }
});
