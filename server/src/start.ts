import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Kept, keepRunning } from './keep-running.ts';
import { type DemoAccount, loadDemo, readDemo } from './load-demo.ts';
import { refuseUnsafeStart } from './modules/doctor/index.ts';
import { prepareQueue, readChannelSettings } from './modules/notifications/index.ts';
import { createTokenKeys } from './modules/voters/index.ts';
import { apiEnvironment, apiFlags } from './platform/api-flags.ts';
import { systemClock } from './platform/clock.ts';
import { type Config, ConfigError, readConfig, readVariable } from './platform/config.ts';
import { type ConfiguredDatabase, openConfiguredDatabase } from './platform/configured-database.ts';
import { createLog, type Log } from './platform/log.ts';
import { ensureConsoleIsBuilt, ensurePageIsBuilt } from './platform/page-build.ts';
import type { Database } from './platform/postgres.ts';
import { loadTokenKeys } from './platform/secrets.ts';

/**
 * `npm start`: everything on one machine. Builds the page, opens the database, loads the demo into an empty one, and
 * keeps the API and the worker running as processes of their own. In production each is started by itself.
 */

/** What a start runs: Node's arguments for each process, and how the page comes to be there. */
export interface Product {
  readonly api: readonly string[];
  readonly worker: readonly string[];
  /** @returns whether there was anything to build */
  ensurePage(): Promise<boolean>;
  /** More lines to print once the product listens at this address. */
  describe?(url: string): readonly string[];
}

/** Prepares the database and runs the product until a signal stops it. */
async function startProduct(product: Product): Promise<void> {
  const config = readConfig();
  // Both processes would refuse, after an operator has brought the database up to date for nothing.
  refuseUnsafeStart(
    config,
    readChannelSettings((name) => readVariable(process.env, name)),
  );
  const log = createLog(config.logLevel);
  const building = timed(product.ensurePage());
  building.catch(() => {}); // reported when it is awaited
  let giveUp = (error: unknown): void => {
    throw error;
  };
  const configured = await openConfiguredDatabase(config, {
    onLost: () => log.write('database.lost', {}),
    onRestored: () => log.write('database.restored', {}),
    onGivenUp: (error) => giveUp(error),
  });
  try {
    await prepare(config, log, configured);
    const { value: isBuilt, milliseconds } = await building;
    if (isBuilt) log.write('web.built', { milliseconds });
  } catch (error) {
    await configured.close();
    throw error;
  }
  const stop = runProcesses(product, config, configured);
  giveUp = (error) => {
    process.stderr.write(
      `The database died and cannot be started again.\n${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
    void stop();
  };
}

async function prepare(
  config: Config,
  log: Log,
  { database, migrated }: ConfiguredDatabase,
): Promise<void> {
  if (migrated.length > 0) log.write('database.migrated', { count: migrated.length });
  if (hasWorkerLogin(database)) await prepareQueue(database);
  if (!config.demo) return;
  const { value: isLoaded, milliseconds } = await timed(
    loadDemo(database, systemClock, {
      dataDirectory: config.dataDirectory,
      tokenKeys: createTokenKeys(loadTokenKeys(config)),
    }),
  );
  if (isLoaded) log.write('demo.loaded', { milliseconds });
}

function hasWorkerLogin({ url, workerUrl }: Database): boolean {
  return workerUrl !== url;
}

/** Until a signal ends them, in the order that finishes what was accepted. */
function runProcesses(
  product: Product,
  config: Config,
  { database, close }: ConfiguredDatabase,
): () => Promise<void> {
  const kept: Kept[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      await Promise.all(kept.map((one) => one.stop()));
      await close();
    })();
    return stopping;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());

  const shared = {
    ...process.env,
    DATABASE_URL: database.url,
    DATABASE_API_URL: database.apiUrl,
  };
  // A process that has logins of its own gets no other.
  const withoutOwner = {
    ...process.env,
    DATABASE_URL: undefined,
    DATABASE_DIRECT_URL: undefined,
    DATABASE_API_URL: undefined,
    DATABASE_WORKER_URL: undefined,
    DATABASE_INTAKE_URL: undefined,
    DATABASE_OFFICE_URL: undefined,
  };
  const { apiUrl, intakeUrl, workerUrl } = database;
  const environment =
    intakeUrl === database.url
      ? shared
      : { ...withoutOwner, DATABASE_API_URL: apiUrl, DATABASE_INTAKE_URL: intakeUrl };
  const workerEnvironment = hasWorkerLogin(database)
    ? { ...withoutOwner, DATABASE_WORKER_URL: workerUrl }
    : shared;
  // In production the console runs where an operator says so.
  const officeUrl =
    config.databaseOfficeUrl ?? (config.production ? undefined : database.officeUrl);
  let hasListened = false;
  const keepApi = (more: NodeJS.ProcessEnv) => {
    if (stopping) return;
    kept.push(
      keepRunning(
        product.api,
        { ...apiEnvironment, ...environment, DATABASE_OFFICE_URL: officeUrl, ...more },
        {
          onMessage: (message) => {
            const { kind, port } = message as { kind?: unknown; port?: unknown };
            if (kind !== 'listening') return;
            if (!hasListened) void announce(product, config, Number(port), more);
            hasListened = true;
          },
          // An API that never listened has said why; trying again would say it again.
          isWorthAnotherTry: () => hasListened,
          onGivenUp: () => {
            process.exitCode = 1;
            void stop();
          },
        },
      ),
    );
  };
  if (hasLocalProvider(config)) kept.push(keepLocalProvider(config, keepApi));
  else keepApi({});
  kept.push(keepRunning(product.worker, workerEnvironment, {}));
  return stop;
}

const localProvider = fileURLToPath(
  new URL('../../dev/local-identity-provider.ts', import.meta.url),
);

/** With the demo, people of an office sign in by a provider of our own, unless there is another. A release has none. */
function hasLocalProvider({ production, demo, identityProviders }: Config): boolean {
  return !production && demo && identityProviders.length === 0 && existsSync(localProvider);
}

/** @param useProvider is called once, when its address is known or it will not come */
function keepLocalProvider(
  { dataDirectory }: Config,
  useProvider: (settings: NodeJS.ProcessEnv) => void,
): Kept {
  let hasListened = false;
  // Also for the command line, which knows nothing of this process.
  const file = path.join(dataDirectory, 'local-provider.json');
  // It keeps its address when it starts again: at another one its people would be others.
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    LOCAL_PROVIDER_PORT: findEarlierPort(file),
  };
  return keepRunning(['--disable-warning=ExperimentalWarning', localProvider], environment, {
    onMessage: (message) => {
      const { port, settings } = message as { port: number; settings: string };
      environment.LOCAL_PROVIDER_PORT = String(port);
      if (hasListened) return;
      hasListened = true;
      mkdirSync(dataDirectory, { recursive: true });
      writeFileSync(file, settings);
      useProvider({ OFFICE_PROVIDERS_FILE: file });
    },
    isWorthAnotherTry: () => hasListened,
    onGivenUp: () => useProvider({}),
  });
}

/** @param file the settings that an earlier start wrote; without it any port will do */
function findEarlierPort(file: string): string {
  if (!existsSync(file)) return '0';
  return /"issuer":"http:\/\/localhost:(\d+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '0';
}

/** The last line of a start: where page and console are, and whom to sign in as. */
async function announce(
  product: Product,
  config: Config,
  port: number,
  { OFFICE_PROVIDERS_FILE: localProviderFile }: NodeJS.ProcessEnv,
): Promise<void> {
  const host = config.baseDomain === 'localhost' ? `localhost:${port}` : config.baseDomain;
  const url = config.publicUrl?.href ?? `http://${host}/`;
  const [office] = config.demo ? await readDemo() : [];
  process.stdout.write(
    [
      ...(product.describe?.(url) ?? []),
      ...(localProviderFile
        ? []
        : [
            `Join the office's console by: npx beacon person invite --account ${config.defaultAccount ?? 'SUBDOMAIN'} --name NAME --role admin`,
          ]),
      [
        `Ballot Beacon is at ${url}`,
        ...(office ? [describeVoter(office)] : []),
        `the office's console is at ${new URL('/office/', url).href}${localProviderFile ? ', with an invented person per role (README.md)' : ''}\n`,
      ].join(' · '),
    ].join('\n'),
  );
}

function describeVoter({ sign_in: voter }: DemoAccount): string {
  return `sign in as ${voter.firstname} ${voter.lastname}, ZIP ${voter.zipcode}, born ${voter.birthdate} (an invented voter)`;
}

async function timed<T>(work: Promise<T>): Promise<{ value: T; milliseconds: number }> {
  const startedAt = performance.now();
  const value = await work;
  return { value, milliseconds: Math.round(performance.now() - startedAt) };
}

/** `npm run dev` serves the console as it was built. */
export { ensureConsoleIsBuilt };

/** {@link startProduct} for a process whose own task it is: a failure is printed and ends it. */
export async function runProduct(product: Product): Promise<void> {
  try {
    await startProduct(product);
  } catch (error) {
    process.stderr.write(
      `${error instanceof ConfigError ? error.message : describeFailure(error)}\n`,
    );
    process.exitCode = 1;
  }
}

if (import.meta.main) {
  await runProduct({
    api: [...apiFlags, fileURLToPath(new URL('./api.ts', import.meta.url))],
    worker: [fileURLToPath(new URL('./worker.ts', import.meta.url))],
    // One after the other: together they need the memory of two builds.
    ensurePage: async () => {
      const isPageBuilt = await ensurePageIsBuilt();
      return (await ensureConsoleIsBuilt()) || isPageBuilt;
    },
  });
}

function describeFailure(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
