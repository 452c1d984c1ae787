import pg from 'pg';

/**
 * The servers a URL names, as one URL each: `postgresql://user@one:5432,two:5432/name?target_session_attrs=read-write`,
 * and libpq's other form with lists in `host` and `port`.
 */
export interface Hosts {
  readonly urls: readonly string[];
  /** Whether a server that takes no writes is passed over. */
  readonly mustBePrimary: boolean;
}

export function readHosts(url: string): Hosts {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/.exec(url);
  if (!parts) return { urls: [url], mustBePrimary: false };
  const [, start = '', authority = '', name = '', query = ''] = parts;
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get('target_session_attrs');
  parameters.delete('target_session_attrs');
  // pg takes these three for verify-full, and warns; so does this, without a warning.
  if (/^(prefer|require|verify-ca)$/.test(parameters.get('sslmode') ?? ''))
    if (parameters.get('uselibpqcompat') !== 'true') parameters.set('sslmode', 'verify-full');
  const hosts = parameters.get('host')?.split(',') ?? [];
  const ports = parameters.get('port')?.split(',') ?? [];
  const join = (server: string) => {
    const rest = parameters.toString();
    return `${start}${server}${name}${rest === '' ? '' : `?${rest}`}`;
  };
  if (hosts.length <= 1) {
    return { urls: authority.split(',').map(join), mustBePrimary: isPrimary(wanted) };
  }
  const urls = hosts.map((host, index) => {
    parameters.set('host', host);
    const port = ports[index] ?? ports[0];
    if (port !== undefined) parameters.set('port', port);
    return join(authority);
  });
  return { urls, mustBePrimary: isPrimary(wanted) };
}

/** Whether every server that the URL names can be connected to by it. A server on a unix socket has no host. */
export function isReadable(url: string): boolean {
  return readHosts(url).urls.every((one) => URL.canParse(one.replace('@/', '@socket/')));
}

function isPrimary(wanted: string | null): boolean {
  return wanted === 'read-write' || wanted === 'primary';
}

/** A read-only server was reached, but the URL asks for a writable server. */
export class StandbyError extends Error {
  override readonly name = 'StandbyError';
  readonly code = '25006';
}

/**
 * A connection of its own to the first server that answers and, where the URL asks for it, takes writes.
 *
 * @throws what the last server answered
 */
export async function connectClient(
  url: string,
  options: pg.ClientConfig = {},
): Promise<pg.Client> {
  const { urls, mustBePrimary } = readHosts(url);
  let failure: unknown;
  for (const connectionString of urls) {
    const client = new pg.Client({ ...options, connectionString });
    client.on('error', () => {});
    try {
      await client.connect();
      if (!mustBePrimary || !(await isStandby(client))) return client;
      failure = new StandbyError('The server takes no writes: it is a standby.');
    } catch (error) {
      failure = error;
    }
    await client.end().catch(() => {});
  }
  throw failure;
}

async function isStandby(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is_standby: boolean }>(
    'select pg_is_in_recovery() as is_standby',
  );
  return rows[0]?.is_standby === true;
}

interface ServerPoolOptions extends pg.PoolConfig {
  /** The server to use next, for every connection that is opened. */
  readonly servers: { current: number; readonly urls: readonly string[] };
  readonly onConnect: (client: pg.ClientBase) => Promise<void>;
}

class ServerClient extends pg.Client {
  constructor({ servers, ...options }: ServerPoolOptions) {
    super({ ...options, connectionString: servers.urls[servers.current] });
  }
}

/** A pool that goes on to the next server when one is away or takes no writes. */
export class ServerPool extends pg.Pool {
  readonly #servers: ServerPoolOptions['servers'];
  /** Who waits for another's connection, the first to ask first. */
  readonly #waits = new Set<{ readonly since: number }>();

  constructor(hosts: Hosts, options: Omit<ServerPoolOptions, 'servers'>) {
    const servers = { current: 0, urls: hosts.urls };
    super({ ...options, servers, Client: ServerClient } as unknown as pg.PoolConfig);
    this.#servers = servers;
  }

  override connect(callback?: unknown): Promise<pg.PoolClient> {
    const connected = this.#connectToAny();
    if (typeof callback !== 'function') return connected;
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error: unknown) => callback(error, undefined, () => {}),
    );
    return connected;
  }

  /** How long the oldest caller has waited for another's connection, in milliseconds; 0 when nobody waits. */
  longestWaitMs(): number {
    const [oldest] = this.#waits;
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }

  async #connectToAny(): Promise<pg.PoolClient> {
    // Opening a connection is no sign of load.
    if (this.idleCount > 0 || this.totalCount < this.options.max) return this.#tryServers();
    const wait = { since: performance.now() };
    this.#waits.add(wait);
    try {
      return await this.#tryServers();
    } finally {
      this.#waits.delete(wait);
    }
  }

  async #tryServers(): Promise<pg.PoolClient> {
    const { urls } = this.#servers;
    for (let left = urls.length; ; left -= 1) {
      const tried = this.#servers.current;
      try {
        return await super.connect();
      } catch (error) {
        if (left <= 1) throw error;
        // Another request may have gone on already.
        if (this.#servers.current === tried) this.#servers.current = (tried + 1) % urls.length;
      }
    }
  }
}
