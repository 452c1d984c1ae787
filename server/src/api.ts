import path from 'node:path';
import { fileURLToPath } from 'node:url';
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { registerBallotRoutes } from './modules/ballots/index.ts';
import { registerOfficeRoutes } from './modules/content/index.ts';
import { loadRenderer, readAssets, registerPageRoutes } from './modules/pages/index.ts';
import { registerPreferenceRoutes } from './modules/preferences/index.ts';
import {
  type AskRecaptcha,
  askGoogle,
  createCaptchaCheck,
  createVoterApi,
  deleteExpired,
  explainIssues,
  registerSessionRoutes,
} from './modules/sessions/index.ts';
import { createSites } from './modules/sites/index.ts';
import { readCatalogue } from './modules/translations/index.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { openConfiguredDatabase } from './platform/configured-database.ts';
import { createHttpServer } from './platform/http.ts';
import { codeOf, createLog, type Log, stackOf } from './platform/log.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import type { Database } from './platform/postgres.ts';
import { loadSecrets, type Secrets } from './platform/secrets.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cleaningIntervalMs = 60_000;

export interface ApiParts {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly askRecaptcha: AskRecaptcha;
  /** Where the built page is; undefined serves the calls alone. */
  readonly pageDirectory: string | undefined;
}

/** The whole API over real parts, not listening yet. */
export async function createApi(parts: ApiParts): Promise<FastifyInstance> {
  const { config, database, log, metrics, secrets, clock } = parts;
  const app = await createHttpServer({
    config,
    log,
    metrics,
    explainIssues: (request, issues) => explainIssues(api, request, issues),
    isReady: async () => {
      await sql`select 1`.execute(database.unscoped);
      return true;
    },
  });
  await app.register(cookie);

  const catalogue = readCatalogue(path.join(root, 'locales'));
  const sites = createSites(database, catalogue, config);
  const api = createVoterApi(app, { config, database, sites, clock });
  const checkCaptcha = createCaptchaCheck(secrets, parts.askRecaptcha);

  registerSessionRoutes(api, { database, sites, secrets, clock, checkCaptcha, metrics });
  registerBallotRoutes(api);
  registerPreferenceRoutes(api);
  registerOfficeRoutes(api);
  if (parts.pageDirectory !== undefined) {
    await registerPageRoutes(api, {
      assets: readAssets(path.join(parts.pageDirectory, 'client')),
      render: await loadRenderer(parts.pageDirectory),
    });
  }
  return app;
}

/** Runs the API as a process of its own, until it is told to stop. */
async function run(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const { database, close } = await openConfiguredDatabase(config);
  const app = await createApi({
    config,
    database,
    log,
    metrics: createMetrics(),
    secrets: loadSecrets(config),
    clock: systemClock,
    askRecaptcha: askGoogle,
    pageDirectory: path.join(root, 'web', 'dist'),
  });
  const cleaning = setInterval(() => {
    deleteExpired(database.unscoped, systemClock.now()).catch((error: unknown) =>
      log.write('job.failed', {
        job: 'delete-expired',
        code: codeOf(error),
        stack: stackOf(error),
      }),
    );
  }, cleaningIntervalMs);

  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.write('server.stopping', { signal });
    clearInterval(cleaning);
    await app.close();
    await close();
    process.disconnect?.();
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  // The supervisor is gone, however it went.
  process.on('disconnect', () => void stop('disconnect'));

  await app.listen({ port: config.port, host: config.host });
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  log.write('server.listening', { url: `http://${config.host}:${port}` });
  process.send?.({ kind: 'listening', port });
}

if (import.meta.main) {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exit(1);
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, port } = (error ?? {}) as { code?: string; port?: number };
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Stop it, or choose another port: PORT=8081 npm start`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
