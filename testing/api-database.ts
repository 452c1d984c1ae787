import { createLogins } from '../server/src/platform/logins.ts';
import { type Database, openDatabase } from '../server/src/platform/postgres.ts';

/** The same database as the API of production has it: by logins that can do no more than it needs. */
export async function openApiDatabase(owner: Database): Promise<Database> {
  const { apiUrl, intakeUrl } = await createLogins(owner.url);
  return openDatabase(intakeUrl, { connections: 8, use: 'visitors', apiUrl });
}
