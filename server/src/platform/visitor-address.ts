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

/** The addresses of X-Forwarded-For without their ports: among them the proxies are to be known by their addresses. */
export function withoutPorts(forwarded: string): string {
  return forwarded
    .split(',')
    .map((one) => readAddress(one.trim()) || one.trim())
    .join(', ');
}
