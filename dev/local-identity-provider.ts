import process from 'node:process';
import { startLocalProvider } from './local-provider/provider.ts';

/** The identity provider that `npm start` has for trying out, as a process of its own. */
const local = await startLocalProvider(Number(process.env.LOCAL_PROVIDER_PORT ?? 0)).catch(
  (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return startLocalProvider();
  },
);
for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const)
  process.on(event, () => process.exit());
process.send?.({ kind: 'listening', port: local.port, settings: local.settings() });
