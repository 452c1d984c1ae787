import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { discardReplacedImages, listAccounts } from './modules/accounts/index.ts';
import { extendAuditChain } from './modules/audit/index.ts';
import { refuseUnsafeStart } from './modules/doctor/index.ts';
import { publishFeedAges, publishWaitingImports } from './modules/feeds/index.ts';
import { createEstimateSettler, createImportsCleanup } from './modules/imports/index.ts';
import {
  beginCounts,
  type Chore,
  publishQueueLength,
  readChannelSettings,
  remindVoters,
  startMessageDelivery,
  watchMail,
} from './modules/notifications/index.ts';
import { deleteAllDiscarded, discardDue } from './modules/past-elections/index.ts';
import { discardOldNotes } from './modules/voter-records/index.ts';
import { type Strengthener, strengthenTokens } from './modules/voters/index.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type Config, ConfigError, readConfig, readVariable } from './platform/config.ts';
import { openConfiguredDatabase } from './platform/configured-database.ts';
import { refuseTooFew } from './platform/connection-shares.ts';
import { createHttpServer } from './platform/http.ts';
import { codeOf, createLog, type Log } from './platform/log.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import { publishPoolUse } from './platform/pool-use.ts';
import { type Database, isUnavailable, takesWrites } from './platform/postgres.ts';
import { loadSecrets, type Secrets } from './platform/secrets.ts';
import { startTracing } from './platform/tracing.ts';

/** Of each minute, on one core at most: the next minute's begins anew, and so finds what is new. */
const strengthenMs = 40_000;

export interface WorkerParts {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly metrics?: Metrics;
  readonly clock?: Clock;
  readonly environment?: NodeJS.ProcessEnv;
  /** Left out: a process that gives way to everybody else. */
  readonly startStrengthener?: (signal: AbortSignal) => Strengthener;
}

/** Starts the worker on parts that its caller owns. `stop()` finishes what is being handed over. */
export async function startWorker(parts: WorkerParts): Promise<{ stop(): Promise<void> }> {
  const { environment = process.env, clock = systemClock, log, ...rest } = parts;
  const settings = readChannelSettings((name) => readVariable(environment, name));
  const settle = createEstimateSettler(rest.database, clock);
  const settleEstimates: Chore = {
    name: 'settle-estimates',
    schedule: '* * * * *',
    async work() {
      const count = await settle();
      if (count > 0) log.write('estimates.settled', { count });
    },
  };
  const chainAudit: Chore = {
    name: 'chain-audit',
    schedule: '* * * * *',
    work: () => extendAuditChain(rest.database, clock, log),
  };
  const { config, database } = rest;
  const remind: Chore = {
    name: 'remind-voters',
    schedule: '*/5 * * * *',
    work: () => remindVoters(database, clock, log),
  };
  const watch: Chore = {
    name: 'watch-mail',
    // In the morning of every zone but Hawaii's, also when the worker was down at the hour.
    schedule: '17 13 * * *',
    catchUp: '1d',
    work: () => watchMail(database, clock, log),
  };
  const stopping = new AbortController();
  const strengthen: Chore = {
    name: 'strengthen-tokens',
    schedule: '* * * * *',
    async work() {
      const until = AbortSignal.any([stopping.signal, AbortSignal.timeout(strengthenMs)]);
      const count = await strengthenTokens(database.system, until, parts.startStrengthener);
      if (count > 0) log.write('tokens.strengthened', { count });
    },
  };
  const expireImports: Chore = {
    name: 'expire-imports',
    // Once a night, also when the worker was down at the hour.
    schedule: '27 7 * * *',
    catchUp: '1d',
    work: createImportsCleanup(database, clock, log, join(config.dataDirectory, 'rejects')),
  };
  const discardNotes: Chore = {
    name: 'discard-old-notes',
    // Once a night, also when the worker was down at the hour.
    schedule: '37 7 * * *',
    catchUp: '1d',
    async work() {
      const count = await discardOldNotes(database.system, clock.now());
      if (count > 0) log.write('notes.discarded', { count });
    },
  };
  const discardElections: Chore = {
    name: 'discard-past-elections',
    // Once a night, also when the worker was down at the hour.
    schedule: '47 7 * * *',
    catchUp: '1d',
    async work() {
      await discardDue(database, await listAccounts(database.system), clock, log);
    },
  };
  const deleteElections: Chore = {
    name: 'delete-past-elections',
    schedule: '* * * * *',
    work: () => deleteAllDiscarded(database, clock, log, () => stopping.signal.aborted),
  };
  const discardImages: Chore = {
    name: 'discard-replaced-images',
    schedule: '57 7 * * *',
    catchUp: '1d',
    async work() {
      const count = await discardReplacedImages(database.system, clock.now());
      if (count > 0) log.write('images.discarded', { count });
    },
  };
  const delivery = await startMessageDelivery({ ...rest, log, clock, settings }, [
    settleEstimates,
    chainAudit,
    remind,
    watch,
    expireImports,
    strengthen,
    discardNotes,
    discardElections,
    deleteElections,
    discardImages,
  ]);
  log.write('worker.started', {});
  return {
    async stop() {
      stopping.abort();
      await delivery.stop();
      log.write('worker.stopped', {});
    },
  };
}

/** What the worker answers at WORKER_PORT: `/healthz`, `/readyz` and `/metrics`, by the same rules as the API. */
export async function createWorkerServer(
  parts: Required<Pick<WorkerParts, 'config' | 'database' | 'log' | 'metrics' | 'clock'>>,
): Promise<FastifyInstance> {
  const { config, database, log, metrics, clock } = parts;
  beginCounts(metrics);
  return createHttpServer({
    config,
    log,
    metrics,
    isReady: () => takesWrites(database),
    async measure() {
      publishPoolUse(metrics, database);
      await publishQueueLength(metrics, database, clock);
      await publishWaitingImports(metrics, database, clock);
      await publishFeedAges(metrics, database, clock);
    },
  });
}

/** The worker's own login, where there is one; a worker that has it needs no other. @throws {ConfigError} */
function asWorker(config: Config): Config {
  const { databaseWorkerUrl: url, databaseUrl, databaseDirectUrl } = config;
  // By one the queue listens; the others do what it hears of.
  const isPooled = url === undefined && (databaseDirectUrl ?? databaseUrl) !== databaseUrl;
  if (isPooled) refuseTooFew(config.databaseConnections, 4, 'a worker behind a pooler');
  if (url === undefined) return config;
  return { ...config, databaseUrl: url, databaseDirectUrl: undefined, databaseApiUrl: undefined };
}

/** `node server/src/worker.ts`: a worker by itself, for installations that scale it apart from the API. */
async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  refuseUnsafeStart(
    config,
    readChannelSettings((name) => readVariable(process.env, name)),
  );
  const tracing = await startTracing(config, 'worker');
  const { database, close } = await openConfiguredDatabase(asWorker(config));
  // The queue's library leaves a promise unwatched when the database goes away under it. That is no reason to die
  // and to lose what providers have just answered; any other unhandled failure is a bug and ends the process.
  process.on('unhandledRejection', (error) => {
    if (!isUnavailable(error)) throw error;
    log.write('job.failed', { job: 'queue', code: codeOf(error) });
  });
  const metrics = createMetrics();
  const worker = await startWorker({
    config,
    database,
    log,
    metrics,
    secrets: loadSecrets(config),
  });
  const { workerPort: port, host } = config;
  const server =
    port === undefined
      ? undefined
      : await createWorkerServer({ config, database, log, metrics, clock: systemClock });
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await worker.stop();
    await server?.close();
    await close();
    await tracing.close();
    process.disconnect?.();
  };
  // 'disconnect': the supervisor is gone, however it went.
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const)
    process.once(signal, () => void stop());
  await server?.listen({ port: port ?? 0, host }).catch(async (error: unknown) => {
    await stop();
    throw new ConfigError(
      `WORKER_PORT ${port} cannot be used (${codeOf(error)}). Stop the program that has it, or choose another.`,
    );
  });
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
