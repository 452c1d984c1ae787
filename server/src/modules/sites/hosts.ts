import { isIP } from 'node:net';

/** The meaning of a request's host, before any lookup. */
export type AskedHost =
  | { readonly kind: 'subdomain'; readonly subdomain: string }
  | { readonly kind: 'bare' }
  /** A foreign name: another site's domain points here, or the header is forged. */
  | { readonly kind: 'foreign' };

/**
 * Reads a `Host` header. Port, case and a trailing dot do not matter. An IP address
 * and `localhost` count as the bare host.
 *
 * @param baseDomain lower case, such as `beacon.example.gov`
 */
export function readHost(header: string | undefined, baseDomain: string): AskedHost {
  const host = (header ?? '').toLowerCase().trim();
  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/.exec(host);
  const name = parts?.[1]?.replace(/\.$/, '');
  if (!name) return { kind: 'foreign' };
  if (name === baseDomain || name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0)
    return { kind: 'bare' };
  if (!name.endsWith(`.${baseDomain}`)) return { kind: 'foreign' };
  return { kind: 'subdomain', subdomain: name.slice(0, -baseDomain.length - 1) };
}
