import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../server/src/platform/postgres.ts';
import { sql } from '../testing/sql.ts';
import type { ProviderStubs } from './providers.ts';

export interface MessagesReport {
  readonly messages: number;
  /** Messages that no provider ever took, but for those that a fix on record made pointless. */
  readonly missing: number;
  /** Texts that the provider took more than once; it knows repeats, so there must be none. */
  readonly textsTwice: number;
  /** Repeats the text provider recognised by their key and did not send again. */
  readonly textRepeatsRecognised: number;
  /** Mails taken more than once: a kill fell between the mail server's answer and our record of it. */
  readonly mailsTwice: number;
  /** Of those, how many were no mail in flight at a kill; must be none. */
  readonly mailsTwiceUnexplained: number;
  /** Texts whose delivery report never arrived, although the provider repeats it. */
  readonly receiptsMissing: number;
  readonly states: Readonly<Record<string, number>>;
}

/**
 * Waits until nothing is under way any more, for as long as messages keep moving.
 *
 * @param countDue messages that are still to be made
 */
export async function settle(
  database: Database,
  providers: ProviderStubs,
  countDue: () => Promise<number>,
): Promise<void> {
  let last = '';
  let since = Date.now();
  for (;;) {
    const { rows } = await sql<MessageRow>`
      select message_id, channel, state, attempts from messages order by message_id`.execute(
      database.system,
    );
    const underWay = rows.filter(
      (row) => ['created', 'sending'].includes(row.state) || lacksReceipt(row, providers),
    );
    const waiting = underWay.length + (await countDue());
    const moving = JSON.stringify(rows);
    if (waiting === 0) return;
    if (moving !== last) [last, since] = [moving, Date.now()];
    // Longer than a lease and a backoff together.
    if (Date.now() - since > 150_000) return;
    await wait(500);
  }
}

interface MessageRow {
  readonly message_id: number;
  readonly channel: string;
  readonly state: string;
  readonly attempts: number;
}

function lacksReceipt({ message_id, state }: MessageRow, { reported }: ProviderStubs): boolean {
  return state === 'sent' && reported.has(`beacon-${message_id}`);
}

/** Compares what the providers got with what was promised. */
export async function compare(
  database: Database,
  providers: ProviderStubs,
): Promise<MessagesReport> {
  const { rows } = await sql<MessageRow & { is_pointless: boolean }>`
    select message_id, channel, m.state, attempts,
      m.status = 'rejected-curable' and b.current_status = 'returned' as is_pointless
    from messages m join ballots b using (ballot_id)`.execute(database.system);
  const { rows: events } = await sql<{ unsent: number }>`
    select count(*) as unsent from ballot_events e where kind = 'office' and not exists (select from messages m where m.event_id = e.event_id)`.execute(
    database.system,
  );
  const states: Record<string, number> = {};
  for (const { state } of rows) states[state] = (states[state] ?? 0) + 1;
  const of = (channel: string) => rows.filter((row) => row.channel === channel);
  const isDue = ({ state, is_pointless: isPointless }: (typeof rows)[number]) =>
    !(isPointless && state !== 'sent' && state !== 'delivered');
  const times = (taken: Map<string, number>, id: number) => taken.get(`beacon-${id}`) ?? 0;
  const mailsTwice = of('email').filter((row) => times(providers.mails, row.message_id) > 1);
  return {
    messages: rows.length,
    missing:
      of('email').filter((row) => isDue(row) && times(providers.mails, row.message_id) === 0)
        .length +
      of('sms').filter((row) => isDue(row) && times(providers.texts, row.message_id) === 0).length +
      (events[0]?.unsent ?? 0),
    textsTwice: of('sms').filter((row) => times(providers.texts, row.message_id) > 1).length,
    textRepeatsRecognised: providers.repeats(),
    mailsTwice: mailsTwice.length,
    // A message that no worker lost was claimed once.
    mailsTwiceUnexplained: mailsTwice.filter((row) => row.attempts < 2).length,
    receiptsMissing: rows.filter((row) => lacksReceipt(row, providers)).length,
    states,
  };
}
