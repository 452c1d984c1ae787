import { createUploadWork } from '../server/src/modules/uploads/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { openDatabase } from '../server/src/platform/postgres.ts';
import { testFileKeys, testTokenKeys } from './token-keys.ts';

/** Works on uploaded files as a process of the console does, until a test kills it. `DATABASE_URL` says where. */
const config = readConfig();
const work = createUploadWork({
  database: openDatabase(config.databaseUrl ?? ''),
  config,
  clock: systemClock,
  log: createLog('silent'),
  fileKeys: testFileKeys,
  tokenKeys: testTokenKeys,
});
work.start();
