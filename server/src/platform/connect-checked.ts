import pg from 'pg';
import { ConfigError } from './config.ts';
import { connectClient, readHosts } from './hosts.ts';
import { codeOf } from './log.ts';
import { asksThroughPooler } from './pool.ts';

const oldestVersion = 15;

export interface CheckedUrls {
  readonly url: string;
  /** The same database without a pooler in between. */
  readonly directUrl: string;
  readonly apiUrl: string;
}

/**
 * Messages of its own for what goes wrong first in a new installation; a password in the URL is not repeated.
 *
 * @returns a connection that leads to the database directly
 */
export async function connectToServer({ url, directUrl, apiUrl }: CheckedUrls): Promise<pg.Client> {
  if (directUrl !== url) await checkUrl('DATABASE_URL', url, true);
  const setting = directUrl === url ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  const direct = await connectChecked(setting, directUrl, false);
  try {
    if (apiUrl !== url) await checkUrl('DATABASE_API_URL', apiUrl, true);
    return direct;
  } catch (error) {
    await direct.end();
    throw error;
  }
}

/** @throws {ConfigError} as {@link connectChecked} does */
export async function checkUrl(setting: string, url: string, mayBePooled: boolean): Promise<void> {
  const client = await connectChecked(setting, url, mayBePooled);
  await client.end();
}

/** @throws {ConfigError} that names the setting, and what to do */
export async function connectChecked(
  setting: string,
  url: string,
  mayBePooled: boolean,
): Promise<pg.Client> {
  let client: pg.Client | undefined;
  try {
    client = await connectClient(url, { connectionTimeoutMillis: 10_000 });
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int / 10000 as version`,
    );
    const version = rows[0]?.version ?? 0;
    if (version < oldestVersion) {
      throw new ConfigError(
        `${setting} leads to PostgreSQL ${version}. Version ${oldestVersion} or newer is needed.`,
      );
    }
    if (await asksThroughPooler(client)) await checkPooler(client, setting, mayBePooled);
    return client;
  } catch (error) {
    await client?.end().catch(() => {});
    throw error instanceof ConfigError ? error : explainUnusable(error, setting, url);
  }
}

function explainUnusable(error: unknown, setting: string, url: string): ConfigError {
  const {
    host,
    port,
    database = '',
  } = new pg.Client({
    connectionString: readHosts(url).urls.at(-1),
  });
  const refusal = error instanceof pg.DatabaseError ? `: ${error.message}` : '';
  return new ConfigError(
    `${setting} cannot be used: the database "${database}" at ${host}, port ${port}, does not answer ` +
      `(${codeOf(error)}${refusal}). Start it, correct ${setting}, or unset it to use a private database.`,
    { cause: error },
  );
}

async function checkPooler(
  client: pg.Client,
  setting: string,
  mayBePooled: boolean,
): Promise<void> {
  try {
    await client.query('begin');
    await client.query('commit');
  } catch (error) {
    throw new ConfigError(
      `${setting} leads through a pooler that allows no transactions (statement pooling). Set pool_mode = transaction there.`,
      { cause: error },
    );
  }
  if (mayBePooled) return;
  throw new ConfigError(
    setting === 'DATABASE_URL'
      ? 'DATABASE_URL leads through a connection pooler. Set DATABASE_DIRECT_URL to the same database without the pooler; migrations, the queue and locks need it.'
      : `${setting} leads through a connection pooler. Give the address of the database itself.`,
  );
}
