import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'node:querystring';

/** A request as Twilio signed it. */
export interface SignedRequest {
  /** The public address that was called, with query, in the very characters of the request. */
  readonly url: string;
  /** Name and value of each form field, in the order of the body. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/**
 * Whether Twilio made a request: HMAC-SHA1 over the address and the form fields (twilio.com/docs/usage/security).
 * Each form that Twilio's own helper libraries accept is accepted: with and without the port, with the query escaped
 * in either way, repeated fields, and a hash of the body in place of its fields.
 */
export function isSignedByTwilio(
  authToken: string,
  signature: string | undefined,
  { url, fields, body }: SignedRequest,
): boolean {
  if (!signature || !URL.canParse(url)) return false;
  const bodyHash = new URL(url).searchParams.get('bodySHA256');
  if (bodyHash !== null && !isSame(bodyHash, createHash('sha256').update(body).digest('hex')))
    return false;
  const text = bodyHash === null ? joinFields(fields) : '';
  return candidates(url).some((candidate) =>
    isSame(
      signature,
      createHmac('sha1', authToken)
        .update(candidate + text)
        .digest('base64'),
    ),
  );
}

/** Names in order, each before its values; values of one name once each, in order. */
function joinFields(fields: SignedRequest['fields']): string {
  const byName = new Map<string, Set<string>>();
  for (const [name, value] of fields) byName.set(name, (byName.get(name) ?? new Set()).add(value));
  return [...byName.keys()]
    .sort()
    .flatMap((name) => [...(byName.get(name) ?? [])].sort().map((value) => name + value))
    .join('');
}

function candidates(url: string): string[] {
  const normalized = new URL(url).toString();
  const plain = [withoutPort(url), withPort(url), withoutPort(normalized), withPort(normalized)];
  return [...new Set([...plain, ...plain.slice(2).map(withLegacyQuery)])];
}

/** `new URL()` would escape characters of the query that Twilio signed as they are. */
const address = /^([a-z][a-z0-9+.-]*:\/\/)((?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*))(:\d*)?/i;

function withoutPort(url: string): string {
  return url.replace(address, '$1$2');
}

function withPort(url: string): string {
  return url.replace(
    address,
    (_whole, scheme: string, host: string, port: string | undefined) =>
      scheme + host + (port || (scheme.toLowerCase() === 'https://' ? ':443' : ':80')),
  );
}

/** The query as Node's former encoder wrote it: an apostrophe plain, a space as %20. */
function withLegacyQuery(url: string): string {
  const at = url.indexOf('?');
  if (at === -1 || at === url.length - 1) return url;
  return `${url.slice(0, at)}?${stringify(parse(url.slice(at + 1)))}`;
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
