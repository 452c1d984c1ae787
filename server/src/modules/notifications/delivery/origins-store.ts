import type { Channel, MessageKind } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { AccountId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';

/** What is recorded of a message that leaves, for all who ask where an office's messages come from. */
export interface LeavingMessage {
  readonly accountId: AccountId;
  readonly channel: Channel;
  /** The address or number that it comes from. */
  readonly from: string;
  readonly kind: MessageKind;
}

export interface OriginLog {
  /** Records where these come from, each once a day (UTC). */
  note(db: Db, leaving: readonly LeavingMessage[], now: Date): Promise<void>;
}

/** Remembers what it recorded today: of a million messages a handful of rows is written. */
export function createOriginLog(): OriginLog {
  const noted = new Set<string>();
  let notedOn = '';
  return {
    async note(db, leaving, now) {
      const day = now.toISOString().slice(0, 10);
      if (day !== notedOn) noted.clear();
      notedOn = day;
      const keyOf = ({ accountId, channel, from, kind }: LeavingMessage) =>
        [accountId, channel, kind, from].join('\n');
      const fresh = new Map(leaving.map((one) => [keyOf(one), one]));
      for (const key of fresh.keys()) if (noted.has(key)) fresh.delete(key);
      if (fresh.size === 0) return;
      const rows = [...fresh.values()];
      await sql`
        insert into message_origins (account_id, day, channel, sender, kind)
        select account_id, ${day}::date, channel, sender, kind
        from unnest(${rows.map((one) => one.accountId)}::integer[], ${rows.map((one) => one.channel)}::text[],
          ${rows.map((one) => one.from)}::text[], ${rows.map((one) => one.kind)}::text[]
        ) as leaving (account_id, channel, sender, kind)
        on conflict do nothing`.execute(db);
      for (const key of fresh.keys()) noted.add(key);
    },
  };
}
