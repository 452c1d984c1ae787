import type pg from 'pg';
import { connectClient } from './hosts.ts';

/** Of the private database: each a member of these roles and of nothing else. */
const logins = {
  beacon_api_login: 'beacon_api',
  beacon_worker_login: 'beacon_worker',
  beacon_intake_login: 'beacon_intake',
  beacon_office_login: 'beacon_operator, beacon_office',
} as const;

export interface LoginUrls {
  /** For voters' requests. */
  readonly apiUrl: string;
  readonly workerUrl: string;
  /** For providers' calls and pushed scans. */
  readonly intakeUrl: string;
  /** For the office's commands and the console. */
  readonly officeUrl: string;
}

/**
 * Creates the logins of the private database where they are missing.
 *
 * @param url as the server's superuser, at the tree's schema
 * @returns the same database for each login
 */
export async function createLogins(url: string): Promise<LoginUrls> {
  const client = await connectClient(url);
  try {
    for (const [login, roles] of Object.entries(logins)) {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [login]);
      if (rowCount !== 0) continue;
      await client.query(`create role ${login} login in role ${roles}`).catch(passIfCreated);
    }
  } finally {
    await client.end();
  }
  return urlsOfLogins(url);
}

/** The addresses of {@link createLogins}, where the logins are there. */
export function urlsOfLogins(url: string): LoginUrls {
  return {
    apiUrl: asLogin(url, 'beacon_api_login'),
    workerUrl: asLogin(url, 'beacon_worker_login'),
    intakeUrl: asLogin(url, 'beacon_intake_login'),
    officeUrl: asLogin(url, 'beacon_office_login'),
  };
}

function passIfCreated(error: unknown): void {
  const createdByAnother = ['42710', '23505']; // duplicate_object, or its unique index in the same moment
  if (!createdByAnother.includes((error as pg.DatabaseError).code ?? '')) throw error;
}

function asLogin(url: string, login: keyof typeof logins): string {
  return url.replace(/(:\/\/)[^@/]+@/, `$1${login}@`);
}
