import { cpSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isExecutable } from '../../testing/debian.ts';
import { unpackPackages } from '../../testing/packaged-program.ts';

/** With what they need beyond Python and what a machine with PostgreSQL has. */
const packages = [
  ...['etcd-server', 'haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'],
  ...['pgbouncer', 'libc-ares2', 'libevent-2.1-7', 'patroni', 'libpq5', 'libyaml-0-2'],
  ...[
    'cdiff',
    'click',
    'colorama',
    'dateutil',
    'dnspython',
    'etcd',
    'prettytable',
    'psutil',
    'psycopg2',
  ]
    .concat('six', 'urllib3', 'wcwidth', 'yaml')
    .map((name) => `python3-${name}`),
];

/** Debian's programs of a failover, taken out of their packages; this machine has none of them afterwards. */
export interface FailoverPrograms {
  /** Command lines of the services by the names of their units, without what a machine adds. */
  readonly services: Readonly<Record<Service, readonly string[]>>;
  readonly patronictl: readonly string[];
  /** What these programs are started with. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The one that Debian's modules are for, whatever else is on PATH. */
const python = '/usr/bin/python3';

export type Service = 'etcd' | 'patroni' | 'haproxy' | 'pgbouncer';

/**
 * @param folder which the programs' user can reach
 * @throws with what to do where Debian's packages cannot be had
 */
export function unpackPrograms(folder: string): FailoverPrograms {
  const unpacked = unpackPackages(packages, 'This run needs the packages of a failover');
  cpSync(unpacked, folder, { recursive: true, verbatimSymlinks: true });
  rmSync(unpacked, { recursive: true });
  if (!isExecutable(python))
    throw new Error('Patroni needs Debian’s Python: sudo apt-get install python3');
  const libraries = globSync('{usr/,}lib/*-linux-gnu', { cwd: folder });
  const at = (file: string) => path.join(folder, file);
  return {
    services: {
      etcd: [at('usr/bin/etcd')],
      patroni: [python, at('usr/bin/patroni')],
      haproxy: [at('usr/sbin/haproxy')],
      pgbouncer: [at('usr/sbin/pgbouncer')],
    },
    patronictl: [python, at('usr/bin/patronictl')],
    environment: {
      PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
      LANG: 'C.UTF-8',
      LD_LIBRARY_PATH: libraries.map(at).join(':'),
      PYTHONPATH: at('usr/lib/python3/dist-packages'),
    },
  };
}
