import { type Config, ConfigError } from './platform/config.ts';
import { divideApiConnections } from './platform/connection-shares.ts';
import type { ProcessConfig } from './platform/database-use.ts';
import { type Database, openDatabase } from './platform/postgres.ts';

/**
 * The API's own logins, where there are any; an API that has them needs no other. Its connections are those that the console
 * leaves it.
 *
 * @throws {ConfigError}
 */
export function asApi(config: Config): ProcessConfig {
  const { databaseIntakeUrl: url, databaseApiUrl } = config;
  const databaseConnections = divide(config).visitors;
  const own = { ...config, databaseConnections, databaseUse: 'visitors' } as const;
  if (url === undefined) return own;
  if (databaseApiUrl === undefined)
    throw new ConfigError(
      'DATABASE_INTAKE_URL is set, and DATABASE_API_URL is not. The API needs both (docs/operations/database.md, Database logins).',
    );
  return { ...own, databaseUrl: url, databaseDirectUrl: undefined };
}

/** The database of the console, beside the API's own; undefined where there is none. */
export function openConsoleDatabase(config: Config, visitors: Database): Database | undefined {
  const { databaseOfficeUrl: url } = config;
  if (url === undefined) return undefined;
  return openDatabase(url, {
    connections: divide(config).console,
    use: 'console',
    visitors,
    apiUrl: visitors.apiUrl,
  });
}

function divide(config: Config): ReturnType<typeof divideApiConnections> {
  const { databaseUrl, databaseDirectUrl, databaseIntakeUrl } = config;
  const { databaseOfficeUrl, databaseConnections } = config;
  return divideApiConnections(databaseConnections, {
    hasConsole: databaseOfficeUrl !== undefined,
    hasPooler:
      databaseIntakeUrl === undefined && (databaseDirectUrl ?? databaseUrl) !== databaseUrl,
  });
}
