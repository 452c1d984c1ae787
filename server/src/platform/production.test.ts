import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../testing/api.ts';
import { readConfig } from './config.ts';

const { NODE_COMPILE_CACHE } = process.env;
const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://vote.example.gov' };

describe('a process started for production', () => {
  const start = (entry: 'start' | 'api' | 'worker', environment: Record<string, string>) => {
    const folder = mkdtempSync(join(tmpdir(), 'beacon-production-'));
    try {
      return spawnSync(
        process.execPath,
        [fileURLToPath(new URL(`../${entry}.ts`, import.meta.url))],
        { env: { NODE_COMPILE_CACHE, BEACON_DATA: folder, ...environment }, encoding: 'utf8' },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test.each(['start', 'api', 'worker'] as const)(
    '%s says everything that is missing and ends',
    (entry) => {
      const { status, stderr } = start(entry, { NODE_ENV: 'production' });
      expect(status).toBe(1);
      const problems = [
        'PUBLIC_URL is not',
        'BEACON_SECRETS is not',
        'EMAIL_PROVIDER=none',
        'SMS_PROVIDER=none',
        'VOICE_PROVIDER=none',
      ];
      for (const problem of problems)
        expect(stderr.split(problem).length - 1, `${problem}\n${stderr}`).toBe(1);
    },
  );

  test('an http address and the demo counties are refused', () => {
    expect(start('api', { ...production, PUBLIC_URL: 'http://vote.example.gov' }).stderr).toContain(
      'PUBLIC_URL is not an https address',
    );
    expect(() => readConfig({ ...production, BEACON_DEMO: '1' })).toThrow(/invented counties/);
  });

  test.each(['api', 'worker'] as const)(
    '%s without the domain below which the offices are is refused, whose pages and links lead nowhere',
    (entry) => {
      const { status, stderr } = start(entry, production);
      expect(status).toBe(1);
      expect(stderr).toContain(
        'PUBLIC_URL is at vote.example.gov, which is neither BASE_DOMAIN (localhost) nor below it',
      );
    },
  );

  test('the demo, its account and the description of calls are off unless asked for', () => {
    expect(readConfig(production)).toMatchObject({
      demo: false,
      defaultAccount: undefined,
      apiDocs: false,
    });
    expect(readConfig({ ...production, API_DOCS: '1' }).apiDocs).toBe(true);
  });
});

describe('without NODE_ENV', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await createTestApi();
    await addOffice(api.test, { subdomain: 'adams' });
  });
  afterAll(() => api.close());

  const paths = ['/outbox', '/metrics'];
  const ask = (url: string, headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    api.app.inject({ url, remoteAddress, headers: { host: 'localhost:8080', ...headers } });

  test.each(paths)('%s is for this machine', async (path) => {
    expect((await ask(path, {})).statusCode).toBe(200);
    expect((await ask(path, {}, '::1')).statusCode).toBe(200);
    for (const address of ['203.0.113.7', '10.0.0.1', '2001:db8::1', '::ffff:203.0.113.7'])
      expect((await ask(path, {}, address)).statusCode).toBe(404);
  });

  test.each(paths)('%s is never for a visitor through a proxy on this machine', async (path) => {
    for (const header of [
      'forwarded',
      'via',
      'x-forwarded-for',
      'X-Forwarded-Host',
      'x-real-ip',
      'cf-connecting-ip',
      'true-client-ip',
      'x-envoy-external-address',
    ])
      expect((await ask(path, { [header]: '127.0.0.1' })).statusCode).toBe(404);
  });

  test.each(paths)(
    '%s is not for a page of another site that has this machine’s address',
    async (path) => {
      for (const host of ['evil.example', 'localhost.evil.example', 'vote.example.gov:8080'])
        expect((await ask(path, { host })).statusCode).not.toBe(200);
    },
  );

  test('nobody else answers as a voter', async () => {
    const answer = await api.app.inject({
      method: 'POST',
      url: '/outbox/reply',
      remoteAddress: '203.0.113.7',
      headers: { host: 'adams.localhost:8080' },
      payload: { account: 'adams', from: '+12025550123', text: 'STOP' },
    });
    expect(answer.statusCode).toBe(404);
  });
});

test('in production the mailbox is not there and the figures need their token', async () => {
  const api = await createTestApi({
    environment: { ...production, CAPTCHA: 'altcha' },
  });
  for (const url of ['/outbox', '/metrics', '/api/docs', '/api/openapi.json'])
    expect((await api.app.inject({ url, headers: { host: 'localhost' } })).statusCode).toBe(404);
  const answer = await api.app.inject({ url: '/healthz', headers: { host: 'localhost' } });
  expect(answer.headers['strict-transport-security']).toMatch(/max-age=63072000/);
  await api.close();
});
