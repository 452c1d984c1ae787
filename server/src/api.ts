import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { calls } from '@ballot-beacon/contract/calls';
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { asApi, openConsoleDatabase } from './api-logins.ts';
import { explainConsoleIssues, registerConsole } from './console.ts';
import { healthOf, listenForHealth } from './health.ts';
import { createViewCounter, registerViewRoutes } from './modules/analytics/index.ts';
import { registerApiDocsRoutes } from './modules/api-docs/index.ts';
import { createSecurityEvents, registerAuditRoutes } from './modules/audit/index.ts';
import { registerBallotRoutes } from './modules/ballots/index.ts';
import { registerOfficeRoutes, registerWordsRoutes } from './modules/content/index.ts';
import { refuseUnsafeStart } from './modules/doctor/index.ts';
import { registerFixLinkRoutes } from './modules/fix-queue/index.ts';
import { registerFlagRoutes } from './modules/flags/index.ts';
import { registerLiveRoutes } from './modules/live/index.ts';
import {
  type ChannelSettings,
  readChannelSettings,
  registerNotificationRoutes,
} from './modules/notifications/index.ts';
import { registerPerformanceRoutes } from './modules/performance/index.ts';
import {
  readOwn,
  registerContactProofRoutes,
  registerPreferenceRoutes,
  registerUnsubscribeRoutes,
} from './modules/preferences/index.ts';
import { registerPushRoutes } from './modules/scan-push/index.ts';
import { registerSentMessageRoutes } from './modules/sent-messages/index.ts';
import {
  type AskRecaptcha,
  askGoogle,
  createCaptchaCheck,
  createSessionCookies,
  createVisits,
  deleteExpired,
  explainIssues,
  registerQrSignInRoutes,
  registerSessionRoutes,
} from './modules/sessions/index.ts';
import { createSites } from './modules/sites/index.ts';
import { readCatalog } from './modules/texts/index.ts';
import {
  createFileKeys,
  createUploadWork,
  type FileKeys,
  type UploadWork,
} from './modules/uploads/index.ts';
import { createTokenKeys, type TokenKeys } from './modules/voters/index.ts';
import {
  type BuiltConsole,
  openBuiltConsole,
  openBuiltPage,
  type PageSource,
  registerWebAppRoutes,
} from './modules/web-app/index.ts';
import { createCallBinder } from './platform/call-binder.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type Config, ConfigError, readConfig, readVariable } from './platform/config.ts';
import { openConfiguredDatabase } from './platform/configured-database.ts';
import { createFairQueue } from './platform/fair-queue.ts';
import { createHttpServer, type HttpLimits } from './platform/http.ts';
import { codeOf, createLog, type Log, plainText, stackOf } from './platform/log.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import type { Database } from './platform/postgres.ts';
import { loadFileKeys, loadSecrets, loadTokenKeys, type Secrets } from './platform/secrets.ts';
import { startTracing } from './platform/tracing.ts';
import {
  recordRefusedCallbacks,
  recordThrottling,
  recordUntrustedProxies,
} from './security-hooks.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  version: string;
};
const houseKeepingIntervalMs = 30_000;

export interface ApiParts {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly secrets: Secrets;
  readonly tokenKeys: TokenKeys;
  /** Of files that people upload at the console. */
  readonly fileKeys: FileKeys;
  readonly clock: Clock;
  readonly askRecaptcha: AskRecaptcha;
  /** Of the message providers, whose callbacks come here. */
  readonly channels: ChannelSettings;
  readonly limits?: Partial<HttpLimits>;
  /** For how long an office's content counts as unchanged; 0: not at all. */
  readonly contentKeptMs?: number;
  /** Undefined serves the calls alone. */
  readonly openPage: PageSource | undefined;
  /** By the login for offices; left out, there is no console. */
  readonly officeDatabase?: Database | undefined;
  readonly builtConsole?: BuiltConsole;
}

export interface Api {
  /** Not listening yet. */
  readonly app: FastifyInstance;
  /** Saves the counts and deletes expired rows; call it now and then, and at the end. */
  keepHouse(): Promise<void>;
  /** What is done about uploaded files; undefined without a console. Not started yet. */
  readonly uploads: UploadWork | undefined;
}

/** The whole API over real parts. */
export async function createApi(parts: ApiParts): Promise<Api> {
  const { config, database, log, metrics, secrets, clock } = parts;
  const cookies = createSessionCookies(secrets);
  const app = await createHttpServer({
    ...healthOf(parts),
    // More would only wait for a connection.
    limits: { requestsAtOnce: database.visitorsAtOnce, ...parts.limits },
    explainIssues: (request, issues) =>
      explainConsoleIssues(request, issues) ?? explainIssues(api, request, issues),
    poolWaitMs: () => database.visitorsWaitMs(),
    isVoter: cookies.isKnown,
  });
  await app.register(cookie);

  const catalog = readCatalog(path.join(root, 'locales'));
  const sites = createSites(database, catalog, config, parts.contentKeptMs);
  const api = createCallBinder(app, calls, createVisits({ database, sites, clock, cookies }));
  const checkCaptcha = createCaptchaCheck(secrets, parts.askRecaptcha, log);

  const views = createViewCounter(database, clock);
  const securityEvents = createSecurityEvents(database, secrets, log, metrics);
  recordThrottling(app, sites, securityEvents);
  recordRefusedCallbacks(app, securityEvents);
  recordUntrustedProxies(app, metrics, securityEvents);
  app.addHook('onClose', () => securityEvents.flush());
  const sessionParts = {
    database,
    sites,
    secrets,
    clock,
    checkCaptcha,
    metrics,
    cookies,
    securityEvents,
    tokenKeys: parts.tokenKeys,
    // The last in line waits about ten seconds.
    tokenTurns: createFairQueue({ atOnce: 2, mostWaiting: 80, mostWaitingOfOne: 20 }),
  };

  registerSessionRoutes(api, sessionParts);
  registerQrSignInRoutes(api, sessionParts);
  registerBallotRoutes(api);
  registerPreferenceRoutes(api, { config, secrets, securityEvents });
  registerContactProofRoutes(api, { config, secrets, securityEvents });
  await registerUnsubscribeRoutes(api, { secrets });
  registerSentMessageRoutes(api, { config, secrets, securityEvents });
  registerFixLinkRoutes(api, { secrets });
  registerPerformanceRoutes(api, { database, clock });
  registerOfficeRoutes(api);
  registerWordsRoutes(api, catalog);
  registerLiveRoutes(api, { database });
  registerFlagRoutes(api, readOwn);
  registerAuditRoutes(app, database);
  registerViewRoutes(api, views);
  await registerPushRoutes(app, { database, sites, config, secrets, clock, log, securityEvents });
  await registerNotificationRoutes(app, {
    database,
    config,
    clock,
    log,
    metrics,
    secrets,
    settings: parts.channels,
  });
  const page = await parts.openPage?.(app.server);
  const { officeDatabase } = parts;
  const uploads = officeDatabase && createUploadWork({ ...parts, database: officeDatabase });
  if (officeDatabase && uploads) {
    const { wake } = uploads;
    const { render } = page ?? {};
    registerConsole(app, {
      ...parts,
      ...{ database: officeDatabase, sites, securityEvents, wake, render },
    });
  }
  if (config.apiDocs) registerApiDocsRoutes(app, version);
  if (page) {
    await registerWebAppRoutes(api, {
      ...page,
      views,
      catalog,
      cookies,
      supportEmail: config.supportEmail,
      pageRenders: metrics.pageRenders,
    });
  }
  return {
    app,
    uploads,
    async keepHouse() {
      await views.flush();
      await securityEvents.flush();
      await deleteExpired(database.unscoped, clock.now());
    },
  };
}

/** Where to listen in place of the configured address, behind a server that listens there. */
interface ListenOn {
  readonly port: number;
  readonly host: string;
}

/** Runs the API as a process of its own until a signal stops it. */
export async function runApi(openPage: PageSource, listenOn?: ListenOn): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const channels = readChannelSettings((name) => readVariable(process.env, name));
  refuseUnsafeStart(config, channels);
  const tracing = await startTracing(config, 'api');
  const { database, close } = await openConfiguredDatabase(asApi(config));
  const officeDatabase = openConsoleDatabase(config, database);
  const metrics = createMetrics();
  const { app, keepHouse, uploads } = await createApi({
    config,
    database,
    log,
    metrics,
    secrets: loadSecrets(config),
    tokenKeys: createTokenKeys(loadTokenKeys(config)),
    fileKeys: createFileKeys(officeDatabase ? loadFileKeys(config) : []),
    clock: systemClock,
    askRecaptcha: askGoogle,
    channels,
    openPage,
    officeDatabase,
    ...(officeDatabase && { builtConsole: openBuiltConsole(path.join(root, 'office', 'dist')) }),
  });
  const keepHouseQuietly = () =>
    keepHouse().catch((error: unknown) =>
      log.write('job.failed', { job: 'keep-house', code: codeOf(error), stack: stackOf(error) }),
    );
  const houseKeeping = setInterval(keepHouseQuietly, houseKeepingIntervalMs);

  let isStopping = false;
  let health: { close(): Promise<unknown> } | undefined;
  const stop = async (signal: 'SIGTERM' | 'SIGINT' | 'disconnect') => {
    if (isStopping) return;
    isStopping = true;
    log.write('server.stopping', { signal });
    clearInterval(houseKeeping);
    await app.close();
    await health?.close();
    await uploads?.stop();
    await keepHouseQuietly();
    await officeDatabase?.close();
    await close();
    await tracing.close();
    process.disconnect?.();
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  // The supervisor is gone, however it went.
  process.on('disconnect', () => void stop('disconnect'));

  uploads?.start();
  health = await listenForHealth({ config, database, log, metrics, clock: systemClock });
  await app.listen(listenOn ?? { port: config.port, host: config.host });
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  log.write('server.listening', { url: plainText(`http://${config.host}:${port}`) });
  process.send?.({ kind: 'listening', port });
}

if (import.meta.main) {
  try {
    await runApi(() => openBuiltPage(path.join(root, 'web', 'dist')));
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
