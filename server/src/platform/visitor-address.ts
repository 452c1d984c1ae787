import { isIP } from 'node:net';

/**
 * A visitor's address without the port that some proxies forward with it, which is another one for each connection; empty where
 * it is no address.
 */
export function readAddress(forwarded: string): string {
  const [, v4, v6] = /^(?:([\d.]+)|\[(.*)\])(?::\d+)?$/.exec(forwarded) ?? [];
  const address = v4 ?? v6 ?? forwarded;
  return isIP(address) === 0 ? '' : address;
}
