import { createHash } from 'node:crypto';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Database, Tx } from '../../platform/postgres.ts';
import type { AccountId, Election } from '../accounts/index.ts';
import { tryBeginImport } from '../imports/index.ts';
import { archivedTables, readAsOffice, readTable } from './archive-store.ts';

/** A file of an archive. */
interface ArchivedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A file of the account is being imported, so that its election may still change. */
export class ElectionChanging extends Error {
  override readonly name = 'ElectionChanging';
}

/**
 * Writes all that is on record about an election into a new folder, which only this user can read: a compressed table each, and
 * `archive.json`, which names them with their digests. It is written last, so a folder without it is no archive.
 *
 * @throws {ElectionChanging}, and what the disk says: the folder must not be there yet
 */
export async function archiveElection(
  database: Database,
  accountId: AccountId,
  election: Election,
  { folder, at }: { readonly folder: string; readonly at: Date },
): Promise<readonly ArchivedFile[]> {
  await mkdir(folder, { mode: 0o700 });
  try {
    return await database.transaction(async (tx) => {
      if (!(await tryBeginImport(tx, accountId))) throw new ElectionChanging();
      return writeTables(tx, accountId, election, { folder, at });
    });
  } catch (error) {
    // The half of an archive would keep a full disk full, and the same command from being run again.
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function writeTables(
  tx: Tx,
  accountId: AccountId,
  election: Election,
  { folder, at }: { readonly folder: string; readonly at: Date },
): Promise<readonly ArchivedFile[]> {
  await readAsOffice(tx, accountId);
  const files: ArchivedFile[] = [];
  for (const table of archivedTables) {
    const name = `${table}.csv.gz`;
    const digest = createHash('sha256');
    let bytes = 0;
    // Flushed: what the file contains is deleted from the database next.
    const file = await open(join(folder, name), 'wx', 0o600);
    await pipeline(
      readTable(tx, table, election.electionId),
      createGzip(),
      async function* count(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          digest.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      },
      file.createWriteStream({ flush: true }),
    );
    files.push({ name, bytes, sha256: digest.digest('hex') });
  }
  const { number, name, electionDate } = election;
  const content = { election: { number, name, date: electionDate }, archived_at: at, files };
  await writeFile(join(folder, 'archive.json'), `${JSON.stringify(content, null, 2)}\n`, {
    ...{ mode: 0o600, flag: 'wx', flush: true },
  });
  return files;
}
