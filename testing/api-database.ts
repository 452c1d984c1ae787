import { urlsOfLogins } from '../server/src/platform/logins.ts';
import { type Database, openDatabase } from '../server/src/platform/postgres.ts';

/** The same database as the API of production has it: by logins that can do no more than it needs. */
export function openApiDatabase(owner: Database): Database {
  const { apiUrl, intakeUrl } = urlsOfLogins(owner.url);
  return openDatabase(intakeUrl, { connections: 8, use: 'visitors', apiUrl });
}
