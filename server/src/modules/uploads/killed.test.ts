import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { addOffice, createTestApi } from '../../../../testing/api.ts';
import { addPerson } from '../../../../testing/people.ts';
import { writeRoll } from '../../../../testing/roll.ts';
import { uploadFile, uploadsPath } from '../../../../testing/uploads.ts';

const host = 'adams.localhost';
const program = fileURLToPath(new URL('../../../../testing/upload-process.ts', import.meta.url));
const rows = 20_000;

test('processes that are killed at their work leave a file imported once, or not at all', async () => {
  const api = await createTestApi();
  const accountId = await addOffice(api.test, { subdomain: 'adams' });
  const importer = await addPerson(api, { accountId, host }, 'Ina Wolf', ['importer']);
  const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(rows));
  const path = `${uploadsPath}/${id}`;
  /** All of it at one moment. */
  const look = async () =>
    (
      await api.query<{ state: string; isTaken: boolean; voters: number; imports: number }>(
        `select state, lease is not null as "isTaken", (select count(*) from voters) as voters,
          (select count(*) from imports) as imports from uploads where upload_id = $1`,
        [id],
      )
    )[0];
  const isEnded = async (before: string) => (await look())?.state !== before;
  const patience = { timeout: 60_000, interval: 20 };

  async function withProcess(use: () => Promise<void>): Promise<void> {
    const worker = fork(program, {
      env: { ...process.env, DATABASE_URL: api.test.url, BEACON_DATA: api.test.name },
    });
    const exit = once(worker, 'exit');
    try {
      await use();
    } finally {
      worker.kill('SIGKILL');
      await exit;
    }
  }

  /** Kills two processes at their work, some time after they took it, and lets a third one end it. */
  async function killTwice(before: string): Promise<void> {
    for (const laterMs of [0, 400]) {
      await withProcess(async () => {
        const isTaken = async () => (await look())?.isTaken === true || (await isEnded(before));
        await expect.poll(isTaken, patience).toBe(true);
        const until = Date.now() + laterMs;
        const isTime = async () => Date.now() >= until || (await isEnded(before));
        await expect.poll(isTime, patience).toBe(true);
      });
      const { state, voters, imports } = (await look()) ?? {};
      expect({ voters, imports }).toEqual(
        state === 'imported' ? { voters: rows, imports: 1 } : { voters: 0, imports: 0 },
      );
      await api.query(`update uploads set lease_until = now() where lease is not null`);
    }
    await withProcess(async () => {
      await expect.poll(() => isEnded(before), patience).toBe(true);
    });
  }

  await importer.browser.post(`${path}/check`, { format: 'beacon-voters' });
  await killTwice('checking');
  const checked = (await importer.browser.get(path)).json();
  expect(checked.preview).toMatchObject({ outcome: 'ready', rows: { added: rows } });
  expect(await look()).toMatchObject({ state: 'ready', voters: 0, imports: 0 });
  await importer.browser.post(`${path}/import`, { check: checked.check });
  await killTwice('importing');
  expect(await look()).toMatchObject({ state: 'imported', voters: rows, imports: 1 });
  await api.close();
});
