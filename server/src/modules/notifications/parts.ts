import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Database } from '../../platform/postgres.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { ChannelSettings } from './channels/settings.ts';

/** What delivery and routes need to run. */
export interface NotificationParts {
  readonly database: Database;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly secrets: Secrets;
  readonly settings: ChannelSettings;
}
