import type pg from 'pg';
import { connectClient } from './hosts.ts';

/** Of the private database: the login of voters' requests, a member of `beacon_api` and of nothing else. */
const apiLogin = 'beacon_api_login';

/**
 * Creates the logins of the private database where they are missing.
 *
 * @param url as the server's superuser, at the tree's schema
 * @returns the same database for voters' requests
 */
export async function createLogins(url: string): Promise<string> {
  const client = await connectClient(url);
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [apiLogin]);
    if (rowCount === 0) await client.query(`create role ${apiLogin} login in role beacon_api`);
  } catch (error) {
    const createdByAnother = ['42710', '23505']; // duplicate_object, or its unique index in the same moment
    if (!createdByAnother.includes((error as pg.DatabaseError).code ?? '')) throw error;
  } finally {
    await client.end();
  }
  return url.replace(/(:\/\/)[^@/]+@/, `$1${apiLogin}@`);
}
