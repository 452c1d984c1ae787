/** A value as formats compare it: case, extra spaces and the length of dashes do not matter. */
export function foldValue(value: string): string {
  // Word processors write dashes of three lengths.
  return tidyValue(value)
    .replace(/[‐‑–—]/g, '-')
    .toUpperCase();
}

/** Without invisible characters, which web pages and word processors leave in what is copied from them. */
export function tidyValue(value: string): string {
  return value
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
