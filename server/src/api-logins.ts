import { type Config, ConfigError } from './platform/config.ts';

/** The API's own logins, where there are any; an API that has them needs no other. @throws {ConfigError} */
export function asApi(config: Config): Config {
  const { databaseIntakeUrl: url, databaseApiUrl } = config;
  if (url === undefined) return config;
  if (databaseApiUrl === undefined)
    throw new ConfigError(
      'DATABASE_INTAKE_URL is set, and DATABASE_API_URL is not. The API needs both (docs/operations/database.md, Database logins).',
    );
  return { ...config, databaseUrl: url, databaseDirectUrl: undefined };
}
