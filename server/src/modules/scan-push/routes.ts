import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { type Log, plainText } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { SecurityEvents } from '../audit/index.ts';
import {
  findFormat,
  ImportInterrupted,
  type ImportOutcome,
  importFile,
  OtherImportRunning,
  pushName,
} from '../imports/index.ts';
import { enqueueMessages } from '../notifications/index.ts';
import { countRefusal } from '../sessions/index.ts';
import type { AccountSite, Sites } from '../sites/index.ts';
import { isCredential, pushPath } from './credential.ts';
import { readCredentialHash } from './store.ts';

export interface PushParts {
  readonly database: Database;
  readonly sites: Sites;
  readonly config: Config;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  readonly securityEvents: SecurityEvents;
}

/** Enough for tens of thousands of events. */
const mostBytes = 8 * 1024 * 1024;
const mostBytesUnpacked = 32 * 1024 * 1024;
/** Each push keeps a connection busy while it waits for the office's own imports, so the wait is limited. */
const mostAtOnce = 2;
const patienceMs = 10_000;

const unzip = promisify(gunzip);

/**
 * Imports scans that USPS pushes (IV-MTR): JSON with an array `events`, plain or gzip, with
 * HTTP Basic authentication. Each push is an import, with the same engine and gate as a file. The answer is 2xx
 * once it is stored, and repeating it is safe.
 */
export async function registerPushRoutes(app: FastifyInstance, parts: PushParts): Promise<void> {
  const { database, sites, config, secrets, clock, log, securityEvents } = parts;
  const proven = new WeakMap<FastifyRequest, AccountSite>();
  let atOnce = 0;

  /** Runs before the body is read. */
  async function authenticate(request: FastifyRequest): Promise<void> {
    const site = await sites.ofHost(request.headers.host);
    if (site === undefined) throw problem(421, 'This host is not served here.');
    if (site.kind !== 'account') throw problem(404, 'Nothing is here.');
    const hash = await readCredentialHash(site.db);
    if (isCredential(request.headers.authorization, hash)) {
      proven.set(request, site);
      return;
    }
    const now = clock.now();
    const { accountId } = site.account;
    securityEvents.record({ kind: 'push-refused', address: request.ip, accountId });
    const until = await countRefusal(database.unscoped, secrets.sign, 'push', {
      scope: String(accountId),
      address: request.ip,
      now,
    });
    if (until) {
      const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
      throw problem(429, 'Too Many Attempts', { headers: { 'retry-after': String(seconds) } });
    }
    throw problem(401, 'The user name or password is wrong.', {
      headers: { 'www-authenticate': 'Basic realm="scans", charset="UTF-8"' },
    });
  }

  async function importPush(site: AccountSite, bytes: Buffer): Promise<ImportOutcome> {
    const { account } = site;
    const { accountId, subdomain } = account;
    const found = await findFormat('usps-iv-mtr');
    if (!found.ok) throw new Error(found.message);
    return importFile(database, clock, {
      account,
      format: found.format,
      file: { name: pushName, size: bytes.length, open: () => Readable.from(inPieces(bytes)) },
      operator: 'system',
      rejectsDirectory: join(config.dataDirectory, 'rejects', subdomain),
      keepsRejects: false,
      neverWaits: true,
      patienceMs,
      afterEvents: (tx, importId, rowsRead, isJudged) =>
        enqueueMessages(tx, config, { accountId, importId, rowsRead, isJudged }, clock.now()),
    });
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: mostBytes },
      (_request, body, done) => done(null, body),
    );
    const options = { config: { crossSite: true }, onRequest: authenticate };
    scope.post(pushPath, options, async (request) => {
      const site = proven.get(request);
      if (!site) throw problem(401, 'The user name or password is wrong.');
      const bytes = await unpack(request);
      if (isEmptySending(bytes)) return { received: 0, new: 0, refused: 0 };
      if (atOnce >= mostAtOnce) throw busy();
      atOnce += 1;
      try {
        const { importId, state, report } = await importPush(site, bytes);
        const { read, added, refused } = report.rows;
        log.write('import.finished', {
          account: site.account.accountId,
          import: importId,
          format: 'usps-iv-mtr',
          state: plainText(state),
          rows: read,
          refused,
          milliseconds: Math.round(report.seconds * 1000),
        });
        if (state === 'refused')
          throw problem(422, report.refusedBecause ?? 'The body cannot be read.');
        return { received: read, new: added, refused };
      } catch (error) {
        const mayPass = error instanceof ImportInterrupted || error instanceof OtherImportRunning;
        throw mayPass ? busy() : error;
      } finally {
        atOnce -= 1;
      }
    });
  });
}

function busy() {
  return problem(503, 'Scans cannot be imported right now. Please send them again.', {
    headers: { 'retry-after': '30' },
  });
}

async function unpack(request: FastifyRequest): Promise<Buffer> {
  const { body } = request;
  if (!Buffer.isBuffer(body) || body.length === 0)
    throw problem(422, 'The body is missing. Send JSON with an array "events".');
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw problem(415, 'The body may be compressed only with gzip.');
  try {
    return await unzip(body, { maxOutputLength: mostBytesUnpacked });
  } catch (error) {
    const isTooLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge
      ? problem(413, `The uncompressed body is larger than ${mostBytesUnpacked / 1024 ** 2} MB.`)
      : problem(400, 'The gzip body is damaged or incomplete.');
  }
}

/** An empty push: nothing was scanned since the last push. */
function isEmptySending(bytes: Buffer): boolean {
  return bytes.length < 4096 && /"events"\s*:\s*\[\s*\]/.test(bytes.toString('latin1'));
}

function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 64 * 1024) {
    yield bytes.subarray(start, start + 64 * 1024);
  }
}
