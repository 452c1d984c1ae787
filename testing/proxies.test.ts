import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensurePackagedProgram } from './packaged-program.ts';
import { findFreePort } from './ports.ts';

const caddyfile = path.resolve(import.meta.dirname, '../deploy/caddy/Caddyfile');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-proxies-'));
  mkdirSync(path.join(folder, 'ssl'));
  const files = ['-keyout', `${folder}/ssl/privkey.pem`, '-out', `${folder}/ssl/fullchain.pem`];
  const subject = [
    '-subj',
    '/CN=vote.example.gov',
    '-addext',
    'subjectAltName=DNS:vote.example.gov',
  ];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], {
    stdio: 'ignore',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What Caddy itself says about the file. nginx reads its own in the test of the release, which sends requests through it. */
function validate(change: (text: string) => string): { status: number | null; output: string } {
  const file = path.join(folder, 'Caddyfile');
  const text = readFileSync(caddyfile, 'utf8').replaceAll(
    '/etc/ssl/ballot-beacon',
    `${folder}/ssl`,
  );
  writeFileSync(file, change(text));
  const { status, stdout, stderr } = spawnSync(
    ensurePackagedProgram('caddy'),
    ['validate', '--config', file, '--adapter', 'caddyfile'],
    { encoding: 'utf8', env: { HOME: folder, XDG_DATA_HOME: folder } },
  );
  return { status, output: stdout + stderr };
}

test('Caddy accepts its file as it stands, and would find a mistake in it', () => {
  expect(validate((text) => text)).toMatchObject({
    status: 0,
    output: expect.stringContaining('Valid configuration'),
  });
  expect(validate((text) => text.replace('reverse_proxy', 'reverse_proxies')).status).toBe(1);
});

const host = 'adams.vote.example.gov';
const proxies = {
  Caddy(port: number, api: number, console: number) {
    const file = path.join(folder, 'running.Caddyfile');
    const site = readFileSync(caddyfile, 'utf8')
      .replaceAll('/etc/ssl/ballot-beacon', `${folder}/ssl`)
      .replace('vote.example.gov, *.vote.example.gov', `https://*.vote.example.gov:${port}`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${api}`)
      .replaceAll('127.0.0.1:8082', `127.0.0.1:${console}`);
    writeFileSync(file, site.replace(/^\{$/m, '{\n\tadmin off\n\tauto_https off'));
    return spawn(
      ensurePackagedProgram('caddy'),
      ['run', '--config', file, '--adapter', 'caddyfile'],
      {
        stdio: ['ignore', 'ignore', openSync(path.join(folder, 'Caddy.log'), 'w')],
        env: { HOME: folder, XDG_DATA_HOME: folder },
      },
    );
  },
  nginx(port: number, api: number, console: number) {
    const file = path.join(folder, 'nginx.conf');
    const site = readFileSync(path.resolve(caddyfile, '../../nginx/ballot-beacon.conf'), 'utf8')
      .replaceAll('/etc/ssl/ballot-beacon', `${folder}/ssl`)
      .replaceAll(/^ *listen (80|\[::\]).*$/gm, '')
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace(/server \{\n(?=\s*server_name).*?\n\}/s, '')
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${api}`)
      .replaceAll('127.0.0.1:8082', `127.0.0.1:${console}`);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((each) => `${each}_temp_path ${folder}/${each};`)
      .join(' ');
    writeFileSync(
      file,
      `daemon off; user root; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; events {} http { access_log ${folder}/visits.log; ${temporary} ${site} }`,
    );
    return spawn(ensurePackagedProgram('nginx'), ['-c', file], { stdio: 'ignore' });
  },
};

/** In place of a process: it says who it is, and what the proxy says of the visitor. */
async function startUpstream(name: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { headers } = incoming;
    if (incoming.url === '/api/voter/live') {
      // A stream stays open after its first event.
      outgoing.write('first event');
      return;
    }
    incoming.resume().once('end', () => {
      // An empty name of a host counts as none.
      const askedFor = headers['x-forwarded-host'] || headers.host;
      const visitor = [askedFor, headers['x-forwarded-for'], headers['x-forwarded-proto']];
      outgoing.end(JSON.stringify([name, ...visitor]));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

test.each(['Caddy', 'nginx'] as const)(
  '%s passes visitors, clerks and scans on to their process, figures to nobody, and believes no visitor’s word',
  async (which) => {
    const [api, console] = await Promise.all(['api', 'console'].map(startUpstream));
    if (!api || !console) throw new Error('The processes behind the proxy are not there.');
    const port = await findFreePort();
    const proxy: ChildProcess = proxies[which](port, portOf(api), portOf(console));
    const open = async (target: string, body?: Buffer) => {
      const asked = request({
        ...{ host: '127.0.0.1', port, path: target, servername: host, rejectUnauthorized: false },
        ...{ method: body ? 'POST' : 'GET', agent: false },
        headers: {
          host,
          'x-forwarded-for': '192.0.2.1',
          'x-forwarded-host': 'other.example',
          ...(body && { 'content-length': body.length }),
        },
      });
      const answered = once(asked, 'response');
      asked.end(body);
      return ((await answered) as [IncomingMessage])[0];
    };
    const ask = async (target: string, body?: Buffer) => {
      const answer = await open(target, body);
      const said = await text(answer);
      return answer.statusCode === 200 ? (JSON.parse(said) as string[]) : answer.statusCode;
    };
    try {
      await expect
        .poll(() => ask('/voter').catch(() => undefined), { timeout: 20_000 })
        .toBeDefined();
      const visitor = [host, '127.0.0.1', 'https'];
      for (const [target, name] of [
        ...(['/voter', '/api/voter/session', '/officer', '/api/usps/iv-mtr'] as const).map(
          (each) => [each, 'api'] as const,
        ),
        ...(['/office', '/office/people', '/api/office/session'] as const).map(
          (each) => [each, 'console'] as const,
        ),
      ])
        expect(await ask(target), target).toEqual([name, ...visitor]);
      expect(await ask('/metrics')).toBe(404);
      const megabytes = (count: number) => Buffer.alloc(count * 1_000_000);
      expect(await ask('/api/usps/iv-mtr', megabytes(7))).toEqual(expect.arrayContaining(['api']));
      expect(await ask('/api/office/upload', megabytes(1))).toEqual(
        expect.arrayContaining(['console']),
      );
      // Versions of Caddy refuse it with different statuses.
      const tooLarge = ask('/api/voter/session', megabytes(3)).catch(() => 413);
      expect(Array.isArray(await tooLarge)).toBe(false);
      const stream = await open('/api/voter/live');
      const [event] = (await once(stream, 'data')) as [Buffer];
      expect(event.toString()).toBe('first event');
      stream.destroy();
      expect(await ask('/voter/qr-login?guid=key-of-a-ballot')).toEqual(['api', ...visitor]);
    } finally {
      proxy.kill('SIGTERM');
      await once(proxy, 'exit');
      const visits = path.join(folder, 'visits.log');
      const kept = existsSync(visits) ? readFileSync(visits, 'utf8') : '';
      expect(kept).not.toContain('key-of-a-ballot');
      for (const server of [api, console]) {
        server.closeAllConnections();
        server.close();
      }
    }
  },
  60_000,
);

test.each(['Caddy', 'nginx'] as const)(
  '%s writes down neither a link that is a key nor its visitor where no process answers behind it',
  async (which) => {
    const [port, away] = await Promise.all([findFreePort(), findFreePort()]);
    const proxy: ChildProcess = proxies[which](port, away, away);
    const ask = async () => {
      const asked = request({
        ...{ host: '127.0.0.1', port, path: '/voter/qr-login?guid=key-of-a-ballot' },
        ...{ servername: host, rejectUnauthorized: false, agent: false },
        headers: { host, referer: `https://${host}/voter?code=key-of-a-mail` },
      });
      const answered = once(asked, 'response');
      asked.end();
      const [answer] = (await answered) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    try {
      await expect.poll(() => ask().catch(() => undefined), { timeout: 20_000 }).toBe(502);
    } finally {
      proxy.kill('SIGTERM');
      await once(proxy, 'exit');
    }
    const log = readFileSync(path.join(folder, `${which}.log`), 'utf8');
    expect(log).not.toMatch(/key-of-a|127\.0\.0\.1, /);
    expect(log).not.toContain('"remote_ip"');
  },
  60_000,
);
