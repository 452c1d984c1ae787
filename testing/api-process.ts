import { createApi } from '../server/src/api.ts';
import { asApi, openConsoleDatabase } from '../server/src/api-logins.ts';
import { readChannelSettings } from '../server/src/modules/notifications/index.ts';
import { createFileKeys } from '../server/src/modules/uploads/index.ts';
import { createTokenKeys } from '../server/src/modules/voters/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { readConfig } from '../server/src/platform/config.ts';
import { openConfiguredDatabase } from '../server/src/platform/configured-database.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMetrics } from '../server/src/platform/metrics.ts';
import { loadFileKeys, loadSecrets, loadTokenKeys } from '../server/src/platform/secrets.ts';

/** The API without pages, as a process of its own that a test may kill. */
const config = readConfig();
const { database } = await openConfiguredDatabase(asApi(config));
const officeDatabase = openConsoleDatabase(config, database);
const { app } = await createApi({
  config,
  database,
  officeDatabase,
  log: createLog(config.logLevel),
  metrics: createMetrics(),
  secrets: loadSecrets(config),
  tokenKeys: createTokenKeys(loadTokenKeys(config)),
  fileKeys: createFileKeys(officeDatabase ? loadFileKeys(config) : []),
  clock: systemClock,
  askRecaptcha: async () => false,
  channels: readChannelSettings((name) => process.env[name]),
  openPage: undefined,
});
await app.listen({ host: config.host, port: config.port });
