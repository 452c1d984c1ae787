import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { isReadable } from './hosts.ts';
import { decodeWritten } from './written-text.ts';

/** A database, or several that take over from each other. */
export const postgresUrl = z
  .string()
  .check(
    z.regex(/^postgres(ql)?:\/\/\S+$/, 'must look like postgresql://user:password@host:5432/name'),
    z.refine(isReadable, 'cannot be read. In a password write %23 for #, %2F for / and %3F for ?'),
  );

const namedNetworks: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);
/** The proxies in front, by address or by name; false for none. */
export const Proxies = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (value) => value === '0' || value.split(',').every((part) => isNetwork(part.trim())),
        "must be 0, or your proxies' addresses such as 10.0.0.0/8, or loopback; not every address",
      ),
    ),
  z.transform((value) => (value === '0' ? false : value)),
);

/** Below these a network is wider than proxies need: any visitor in it could claim another address with each request. */
const shortestPrefix = { 4: 8, 6: 16 } as const;

function isNetwork(value: string): boolean {
  if (namedNetworks.has(value)) return true;
  const [address = '', prefix, ...more] = value.split('/');
  const version = isIP(address);
  if ((version !== 4 && version !== 6) || more.length > 0) return false;
  if (prefix === undefined) return true;
  const bits = Number(prefix);
  return (
    /^\d{1,3}$/.test(prefix) &&
    bits >= shortestPrefix[version] &&
    bits <= (version === 4 ? 32 : 128)
  );
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

/**
 * A setting that is in a file. Keys are read as they always were: of another encoding they would become other keys.
 *
 * @throws {SyntaxError} as {@link decodeWritten} does
 */
export function decodeSetting(name: string, bytes: Buffer): string {
  const isKey = /^BEACON_(SECRETS|TOKEN_KEYS|FILE_KEYS)$/.test(name);
  return isKey ? bytes.toString('utf8') : decodeWritten(bytes);
}
