import type { Clock } from '../../../platform/clock.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Database, Db } from '../../../platform/postgres.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import type { Providers } from '../channels/index.ts';
import type { Office } from '../office/store.ts';
import type { Senders } from '../senders/senders.ts';
import type { OriginLog } from './origins-store.ts';

/** What taking messages to their providers needs. */
export interface DeliveryParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly secrets: Secrets;
  readonly providers: Providers;
  readonly mailDomain: string;
  readonly origins: OriginLog;
  readonly senders: Senders;
  readonly transaction: Database['transaction'];
  office(accountId: AccountId): Promise<Office>;
}
