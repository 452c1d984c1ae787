import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Log } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres.ts';
import type { TokenKeys } from '../voters/index.ts';
import type { FileKeys } from './seal.ts';

export interface UploadWorkParts {
  /** By the login of the commands and the console, which may import. */
  readonly database: Database;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly fileKeys: FileKeys;
  readonly tokenKeys: TokenKeys;
}
