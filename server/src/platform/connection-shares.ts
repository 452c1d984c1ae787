import { ConfigError } from './config.ts';
import type { DatabaseUse } from './database-use.ts';

/** So many connections for each; where it is 0, the work's serve for it as well. */
export interface Shares {
  /** Visitors' requests, which wait for no work. */
  readonly voters: number;
  /** Clerks' requests at the console, which wait for no import. */
  readonly office: number;
  /** Where one transaction reads by other connections meanwhile, as an import its file: it never waits for another like it. */
  readonly transactions: number;
  readonly work: number;
  /** Past a pooler. */
  readonly direct: number;
}

/** Divides the connections that may be open at the same time. @throws {ConfigError} where there are too few */
export function divideConnections(
  connections: number,
  use: DatabaseUse,
  { hasVoterLogin, hasPooler }: { readonly hasVoterLogin: boolean; readonly hasPooler: boolean },
): Shares {
  const isWork = use === 'work';
  // Of a process for visitors only the question whether the database is ready goes past a pooler.
  const direct = hasPooler ? (isWork ? Math.floor(connections / 2) : 1) : 0;
  const left = connections - direct;
  const part = (divisor: number) => Math.max(1, Math.floor(left / divisor));
  const apart = isWork && hasVoterLogin ? part(4) : 0;
  const voters = use === 'visitors' ? left - part(4) : apart;
  const office = use === 'console' ? part(4) : 0;
  const transactions = use === 'console' ? part(2) : 0;
  const work = left - voters - office - transactions;
  if (work < 1 || (use === 'visitors' && voters < 1) || (hasPooler && direct < 1))
    throw new ConfigError(`DATABASE_CONNECTIONS: ${connections} connections are too few.`);
  return { voters, office, transactions, work, direct };
}

/** Of an api process: one listens, and where it serves the console as well, half of the others is the console's. */
export function divideApiConnections(
  connections: number,
  { hasConsole, hasPooler }: { readonly hasConsole: boolean; readonly hasPooler: boolean },
): { readonly visitors: number; readonly console: number } {
  const least = 3 + (hasPooler ? 1 : 0) + (hasConsole ? 3 : 0);
  const process = `an api process${hasConsole ? ' with the console' : ''}${hasPooler ? ' behind a pooler' : ''}`;
  refuseTooFew(connections, least, process);
  const console = hasConsole ? Math.max(3, Math.floor((connections - 1) / 2)) : 0;
  return { visitors: connections - 1 - console, console };
}

/** @throws {ConfigError} where a process could not do its work with so few connections */
export function refuseTooFew(connections: number, least: number, process: string): void {
  if (connections >= least) return;
  throw new ConfigError(
    `DATABASE_CONNECTIONS is ${connections}, and ${process} needs at least ${least}. Raise it, or unset it to allow 20.`,
  );
}
