import { readCapturedStatements } from '../../testing/captured-statements.ts';
import { createTestDatabase, startTestServer } from '../../testing/database.ts';
import { pg } from '../../testing/sql.ts';
import { fillTables } from './fill-tables.ts';
import { findSequentialScans } from './find-scans.ts';

/** As many as one county of middling size; enough that an index is always the better way to a few rows. */
const rowCount = 40_000;
/** Far below what the tests run, far above what a broken capture would leave. */
const minimumStatements = 100;

const statements = readCapturedStatements();
if (statements.length < minimumStatements) {
  process.stderr.write(
    `The tests left ${statements.length} statements; at least ${minimumStatements} are needed. Run npm test -- unit first.\n`,
  );
  process.exitCode = 1;
} else {
  const server = await startTestServer();
  const { url, drop } = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const largeTables = await fillTables(client, rowCount);
    const { scans, explained, unexplained } = await findSequentialScans(
      client,
      statements,
      largeTables,
    );
    for (const { origin, table, text } of scans)
      process.stderr.write(
        `${origin} reads all of ${table}:\n${text.trim()}\n  Add an index, or write beside the statement why: -- sequential scan: …\n\n`,
      );
    process.stdout.write(
      `${explained} statements planned over ${largeTables.length} tables of ${rowCount} rows, ${scans.length} sequential scans without a reason; ${unexplained.length} statements read temporary tables\n`,
    );
    process.exitCode = scans.length === 0 ? 0 : 1;
  } finally {
    await client.end();
    await drop();
    await server.close();
  }
}
