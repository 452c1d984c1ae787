export type Encoding = 'br' | 'gzip' | 'identity';

/** The smallest available encoding that the browser accepts. */
export function chooseEncoding(
  accepted: string | string[] | undefined,
  available: Readonly<Partial<Record<Encoding, unknown>>>,
): Encoding {
  const offers = String(accepted ?? '')
    .split(',')
    .map((offer) => offer.trim().toLowerCase())
    .filter((offer) => !/;\s*q=0(\.0*)?$/.test(offer))
    .map((offer) => offer.split(';')[0]?.trim());
  const wanted = (['br', 'gzip'] as const).find(
    (encoding) => offers.includes(encoding) && available[encoding] !== undefined,
  );
  return wanted ?? 'identity';
}
