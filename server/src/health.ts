import { publishFeedAges } from './modules/feeds/index.ts';
import type { Clock } from './platform/clock.ts';
import { type Config, ConfigError } from './platform/config.ts';
import { createHttpServer, type HttpOptions } from './platform/http.ts';
import { codeOf, type Log } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';
import { publishPoolUse } from './platform/pool-use.ts';
import { type Database, takesWrites } from './platform/postgres.ts';

interface HealthParts {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** What the api answers of its health and figures, on whichever port. */
export function healthOf({ config, database, log, metrics, clock }: HealthParts): HttpOptions {
  return {
    config,
    log,
    metrics,
    isReady: () => takesWrites(database),
    async measure() {
      publishPoolUse(metrics, database);
      await publishFeedAges(metrics, database, clock);
    },
  };
}

/**
 * Answers `/healthz`, `/readyz` and `/metrics` at HEALTH_PORT, if there is one. It is a listener of its own: connections that
 * visitors open by the thousand are not in line before it, and nobody there is refused for the load.
 *
 * @throws {ConfigError} when the port is taken
 */
export async function listenForHealth(parts: HealthParts): Promise<{ close(): Promise<unknown> }> {
  const { healthPort: port, host } = parts.config;
  if (port === undefined) return { close: async () => {} };
  const limits = { voterWaitMs: 0, strangerWaitMs: 0, eventLoopDelayMs: 0 };
  const app = await createHttpServer({ ...healthOf(parts), limits });
  await app.listen({ port, host }).catch((error: unknown) => {
    throw new ConfigError(
      `HEALTH_PORT ${port} cannot be used (${codeOf(error)}). Stop the program that has it, or choose another.`,
    );
  });
  return app;
}
