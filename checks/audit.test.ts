import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';

const script = path.join(import.meta.dirname, 'audit.ts');

/** What npm asks about a package that has a weakness. */
const packument = JSON.stringify({
  name: 'pg-copy-streams',
  'dist-tags': { latest: '7.0.0' },
  versions: { '7.0.0': { name: 'pg-copy-streams', version: '7.0.0' } },
});

/** `npm run audit` against a registry that answers so. */
async function auditAgainst(status: number, body: string) {
  const registry = createServer((request, answer) => {
    request.resume();
    const isAudit = request.method === 'POST';
    answer
      .writeHead(isAudit ? status : 200, { 'content-type': 'application/json' })
      .end(isAudit ? body : packument);
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const { port } = registry.address() as AddressInfo;
  const child = spawn(process.execPath, [script, `--registry=http://127.0.0.1:${port}/`], {
    cwd: path.dirname(import.meta.dirname),
    env: { ...process.env, npm_config_fetch_retries: '0' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  registry.close();
  return { code, output };
}

test('a registry that knows no weakness passes', async () => {
  expect(await auditAgainst(200, '{}')).toEqual({
    code: 0,
    output: 'No package that runs in production has a known weakness, moderate or worse.\n',
  });
});

test('a weakness is named, with what to do', async () => {
  const advisory = {
    id: 1,
    url: 'https://example.org/1',
    title: 'Reads any file',
    severity: 'high',
    vulnerable_versions: '*',
    cwe: [],
    cvss: { score: 9, vectorString: null },
  };
  const { code, output } = await auditAgainst(
    200,
    JSON.stringify({ 'pg-copy-streams': [advisory] }),
  );
  expect(code).toBe(1);
  expect(output).toContain('pg-copy-streams * (high): Reads any file https://example.org/1');
  expect(output).toContain('npm audit fix');
});

test('a registry without an audit checked nothing, and the exit status says so', async () => {
  const { code, output } = await auditAgainst(405, '');
  expect(code).toBe(3);
  expect(output).toContain('Nothing was checked');
  expect(output).toContain('npm run audit -- --registry=ADDRESS');
  expect(output).not.toMatch(/^ +at /m);
});
