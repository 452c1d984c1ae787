import { prepareQueue } from '../server/src/modules/notifications/index.ts';
import { createLogins } from '../server/src/platform/logins.ts';
import { type Database, openDatabase } from '../server/src/platform/postgres.ts';

/** The same database as a worker of production has it: by a login that can do no more than a worker needs. */
export async function openWorkerDatabase(owner: Database): Promise<Database> {
  const { workerUrl } = await createLogins(owner.url);
  await prepareQueue(owner);
  return openDatabase(workerUrl, { connections: 6 });
}
