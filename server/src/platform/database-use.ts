import type { Config } from './config.ts';

/** What connections to the database are for: an api's calls, a console's, or a process's own work. */
export type DatabaseUse = 'visitors' | 'console' | 'work';

/** The settings, and what the process does with its connections, which no operator says; left out: `work`. */
export interface ProcessConfig extends Config {
  readonly databaseUse?: DatabaseUse;
}
