/**
 * The keys that a file may have: `''` for a value, `[shape]` for a list, `'*'` for any name.
 */
export type Shape = '' | readonly [Shape] | { readonly [key: string]: Shape };

/** Keys of `value` that the shape does not have, and values where it has a list or keys, with their paths. */
export function findUnknownKeys(value: unknown, shape: Shape, at = ''): string[] {
  const below = (key: string | number) => (at === '' ? String(key) : `${at}.${key}`);
  if (shape === '') return typeof value === 'object' && value !== null ? [at] : [];
  if (Array.isArray(value)) {
    // A list of names stands for the same names without more.
    const [each = ''] = Array.isArray(shape) ? (shape as readonly [Shape]) : [''];
    return value.flatMap((one, index) => findUnknownKeys(one, each as Shape, below(index)));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(shape)) return [at];
  const keys = shape as Readonly<Record<string, Shape>>;
  return Object.entries(value).flatMap(([key, one]) => {
    const known = keys[key] ?? keys['*'];
    return known === undefined ? [below(key)] : findUnknownKeys(one, known, below(key));
  });
}
