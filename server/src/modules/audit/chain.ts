import type { Clock } from '../../platform/clock.ts';
import { type Log, plainText } from '../../platform/log.ts';
import type { Database, Db } from '../../platform/postgres.ts';
import {
  countStrays,
  insertLinks,
  listHeads,
  lockChain,
  publishHead,
  readChain,
  readHead,
  readUnchained,
} from './chain-store.ts';
import { hashLink, noHash, verifyExport } from './verify-export.ts';

const batch = 5_000;

/** Links the entries that wait, and publishes the day's head once. The worker's chore, every minute. */
export async function extendAuditChain(
  database: Database,
  clock: Clock,
  log: Log,
  batchSize = batch,
): Promise<void> {
  let isMore = true;
  while (isMore) isMore = await database.transaction((tx) => linkBatch(tx, batchSize));
  const head = await readHead(database.system);
  if (head === undefined) return;
  const day = clock.now().toISOString().slice(0, 10);
  // A day's first head, so that it stands for the whole day that ended.
  if (await publishHead(database.system, { ...head, day })) {
    log.write('audit.head', { position: head.position, hash: plainText(head.hash) });
  }
}

async function linkBatch(tx: Db, size: number): Promise<boolean> {
  await lockChain(tx);
  const head = await readHead(tx);
  const entries = await readUnchained(tx, size);
  let previous = head === undefined ? noHash : Buffer.from(head.hash, 'hex');
  let position = head?.position ?? 0;
  const links = entries.map((fields) => {
    position += 1;
    previous = hashLink(previous, [String(position), ...fields]);
    return { position, hash: previous.toString('hex'), auditId: fields[0] ?? '' };
  });
  if (links.length > 0) await insertLinks(tx, links);
  return entries.length === size;
}

/** The whole audit in the order of its chain, as lines for {@link verifyExport}; an entry that is gone leaves a gap. */
export async function* exportAudit(db: Db): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const entries = await readChain(db, after, batch);
    for (const { position, hash, fields } of entries)
      if (fields) yield JSON.stringify([position, hash, ...fields]);
    const last = entries.at(-1);
    if (last === undefined) return;
    after = last.position;
  }
}

/**
 * Whether the audit is as it was recorded.
 *
 * @param head a published `POSITION:HASH`; left out, the newest that this database says it published
 */
export async function verifyAudit(
  db: Db,
  head?: string,
): Promise<{ readonly wrong: string } | { readonly entries: number; readonly head: string }> {
  const heads = await listHeads(db, 100_000);
  const newest = heads[0] && `${heads[0].position}:${heads[0].hash}`;
  const result = await verifyExport(exportAudit(db), head ?? newest);
  if ('wrong' in result) return result;
  const strays = await countStrays(db);
  if (strays > 0)
    return { wrong: `${strays} entries belong to no link: they were added past the product.` };
  return result;
}
