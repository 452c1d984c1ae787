import { createApi } from '../server/src/api.ts';
import { readChannelSettings } from '../server/src/modules/notifications/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMetrics } from '../server/src/platform/metrics.ts';
import { openDatabase } from '../server/src/platform/postgres.ts';
import { loadSecrets } from '../server/src/platform/secrets.ts';
import { testFileKeys, testTokenKeys } from './token-keys.ts';

/** The console's API without pages, as a process of its own whose memory can be measured. */
const config = readConfig();
const open = () => openDatabase(config.databaseUrl ?? '');
const { app, uploads } = await createApi({
  config,
  database: open(),
  officeDatabase: open(),
  log: createLog('error'),
  metrics: createMetrics(),
  secrets: loadSecrets(config),
  tokenKeys: testTokenKeys,
  fileKeys: testFileKeys,
  clock: systemClock,
  askRecaptcha: async () => false,
  channels: readChannelSettings(() => undefined),
  openPage: undefined,
});
uploads?.start();
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(app.server.address());
