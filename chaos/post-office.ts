import { setTimeout as wait } from 'node:timers/promises';
import { drawCredential, pushPath } from '../server/src/modules/scan-push/index.ts';
import type { AccountId } from '../server/src/platform/ids.ts';
import type { Database } from '../server/src/platform/postgres.ts';
import { sql } from '../testing/sql.ts';

export interface ScansReport {
  /** Scans that were answered as kept. */
  readonly scans: number;
  /** Sendings that were not answered as kept, and were sent again. */
  readonly sentAgain: number;
  /** Of the scans, those that are not there. */
  readonly scansMissing: number;
  /** Ballots whose scan did not make exactly one event. */
  readonly scansMiscounted: number;
  /** Ballots whose status does not follow from their scan. */
  readonly statusesStale: number;
}

/** Longer than a push waits for an import. */
const longestAnswerMs = 60_000;

/** Pushes scans to a server that is killed meanwhile, as USPS does: each one again until the server has kept it. */
export interface PostOffice {
  /** Pushes scans of ballots that had none, one sending after the other. */
  keepPushing(isOver: () => boolean): Promise<void>;
  compare(): Promise<ScansReport>;
}

export async function createPostOffice(of: {
  readonly database: Database;
  readonly accountId: AccountId;
  readonly apiUrl: string;
  readonly random: () => number;
}): Promise<PostOffice> {
  const { database, accountId, apiUrl, random } = of;
  const { user, password } = await database.transaction((tx) =>
    drawCredential(tx, accountId, new Date()),
  );
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const kept = new Set<string>();
  let sentAgain = 0;

  /** Barcodes of ballots that had none. */
  async function mail(count: number): Promise<string[]> {
    const { rows } = await sql<{ code: string }>`
      insert into mail_pieces (account_id, tracking_code, ballot_id, direction)
      select account_id, '00716123456' || lpad(ballot_id::text, 9, '0'), ballot_id, 'outbound' from ballots b
      where b.current_status = 'sent' and not exists (select from mail_pieces p where p.ballot_id = b.ballot_id) order by ballot_id limit ${count}
      returning tracking_code as code`.execute(database.system);
    return rows.map(({ code }) => code);
  }

  /**
   * @returns whether it is kept
   * @throws when it is answered otherwise than that, or that it be sent again; or not at all
   */
  async function push(body: string): Promise<boolean> {
    const answer = await fetch(`${apiUrl}${pushPath}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(longestAnswerMs),
    }).catch((error: Error) => {
      if (error.name === 'TimeoutError') throw error;
      return undefined; // a killed server's connection breaks
    });
    await answer?.arrayBuffer().catch(() => {});
    if (answer && ![200, 503].includes(answer.status))
      throw new Error(`A sending of scans was answered ${answer.status}.`);
    return answer?.status === 200;
  }

  return {
    async keepPushing(isOver) {
      while (!isOver()) {
        const codes = await mail(1 + Math.floor(random() * 20)).catch(() => []);
        if (codes.length === 0) {
          await wait(50);
          continue;
        }
        const scanDatetime = `${new Date().toISOString().slice(0, 10)}T12:00:00`;
        const events = codes.map((imb) => ({
          imb,
          scanDatetime,
          mailPhase: '2a',
          handlingEventType: 'A',
          scanEventCode: '517',
        }));
        const body = JSON.stringify({ msgGrpId: codes[0], events });
        while (!(await push(body))) {
          sentAgain += 1;
          await wait(100);
        }
        for (const code of codes) kept.add(code);
        await wait(random() * 100);
      }
    },
    async compare() {
      const { rows } = await sql<Omit<ScansReport, 'scans' | 'sentAgain'>>`
        select count(*) filter (where not is_there) as "scansMissing", count(*) filter (where events <> 1) as "scansMiscounted",
          count(*) filter (where status <> 'in-transit') as "statusesStale"
        from (
          select exists (select from mail_scans s where s.tracking_code = p.tracking_code) as is_there,
            b.current_status as status,
            (select count(*) from ballot_events e where e.ballot_id = b.ballot_id and e.kind = 'scan') as events
          from mail_pieces p join ballots b using (ballot_id) where p.tracking_code = any(${[...kept]}::text[])
        ) counted`.execute(database.system);
      const found = rows[0];
      if (!found) throw new Error('The scans could not be counted.');
      return { scans: kept.size, sentAgain, ...found };
    },
  };
}
