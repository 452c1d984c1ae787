import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import { findFormat } from '../index.ts';

const ids = ['1', '2', '3', '4'];
let county: MessageCounty;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beacon-upgrade-'));
  county = await createMessageCounty(ids);
  for (const id of ids) await county.optIn(id, { email: `voter${id}@example.org` });
});
afterEach(async () => {
  await county.drop();
  rmSync(folder, { recursive: true });
});

/** A built-in format as a newer version has it: it reads the same, and its text differs. */
async function upgrade(name: string): Promise<string> {
  const found = await findFormat(name);
  if (!found.ok) throw new Error(found.message);
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ ...found.format, ignored: ['Column of the new version'] }));
  return path;
}

async function everything(): Promise<{ row_hash: string | null; messages: number }[]> {
  const { rows } = await sql<{ row_hash: string | null; messages: number }>`
    select row_hash, to_jsonb(v) - 'row_hash' as voter, b.ballot_number, b.current_status, b.office_record,
      (select count(*) from ballot_events) as events, (select count(*) from messages) as messages
    from voters v left join ballots b using (voter_id) order by registration_id`.execute(
    county.database.system,
  );
  return rows;
}

test('after an upgrade that changes a format, each row is read once more, and no voter hears of it', async () => {
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  const roll = [header, ...ids.map((id) => `${id},Voter,${id},01/02/1980,32601`)];
  const rows = ids.map((id) => `${id},100,accepted,2026-10-01,2026-10-04`);
  const list = ['registration_id,election,status,sent_on,returned_on', ...rows];
  await county.importLines('beacon-voters', roll);
  await county.importLines('beacon-ballots', list);
  const before = await everything();
  expect(before[0]?.messages).toBe(ids.length);

  const outcomes = [
    await county.importLines(await upgrade('beacon-voters'), roll),
    await county.importLines(await upgrade('beacon-ballots'), list),
  ];
  for (const { state, report } of outcomes)
    expect({ state, ...report.rows, events: report.events }).toMatchObject({
      ...{ state: 'done', read: ids.length, added: 0, changed: 0, refused: 0, events: 0 },
    });
  const after = await everything();
  const withoutHash = (one: object) => ({ ...one, row_hash: null });
  expect(after.map(withoutHash)).toEqual(before.map(withoutHash));
  expect(after.map(({ row_hash }) => row_hash)).not.toEqual(before.map(({ row_hash }) => row_hash));
});
