import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, startTestServer } from '../../testing/database.ts';
import { pg } from '../../testing/sql.ts';
import { describeSchema } from './describe-schema.ts';

export const schemaFile = fileURLToPath(new URL('../schema.sql', import.meta.url));

/** The schema that the tree's migrations make, as database/schema.sql should have it. */
export async function readMigratedSchema(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await describeSchema(client);
  } finally {
    await client.end();
    await drop();
  }
}

/** `npm run schema` */
if (import.meta.main) {
  const server = await startTestServer();
  await writeFile(schemaFile, await readMigratedSchema());
  await server.close();
}
