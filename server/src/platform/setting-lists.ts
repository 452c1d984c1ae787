import { isIP } from 'node:net';
import * as z from 'zod/mini';

const namedNetworks: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);
/** The proxies in front, by address or by name; false for none. */
export const Proxies = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (value) => value === '0' || value.split(',').every((part) => isNetwork(part.trim())),
        "must be 0, or your proxies' addresses such as 10.0.0.0/8, or loopback",
      ),
    ),
  z.transform((value) => (value === '0' ? false : value)),
);

function isNetwork(value: string): boolean {
  const [address = '', prefix = '0'] = value.split('/');
  return namedNetworks.has(value) || (isIP(address) !== 0 && /^\d{1,3}$/.test(prefix));
}

/** Up to as many secrets as are in use at once, comma-separated, the newest first. */
export const KeyList = z.pipe(
  z
    .string()
    .check(
      z.regex(
        /^\s*[^\s,]{32,}(\s*,\s*[^\s,]{32,})*\s*$/,
        'needs at least 32 characters in each secret',
      ),
    ),
  z.transform((list) => list.split(',').map((key) => key.trim())),
);
