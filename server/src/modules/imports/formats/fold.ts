/** A value as formats compare it: case, extra spaces and the length of dashes do not matter. */
export function foldValue(value: string): string {
  // Word processors write dashes of three lengths.
  return tidyValue(value)
    .replace(/[‐‑–—]/g, '-')
    .toUpperCase();
}

export function tidyValue(value: string): string {
  return value.replace(/\s+/g, ' ').trim();
}
