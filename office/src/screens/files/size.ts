/** A file's size as people say it: `3.4 MB`. */
export function formatSize(bytes: number): string {
  const [unit, name] =
    bytes >= 1024 ** 3 ? [1024 ** 3, 'GB'] : bytes >= 1024 ** 2 ? [1024 ** 2, 'MB'] : [1024, 'KB'];
  const size = bytes / unit;
  return `${size.toLocaleString('en-US', { maximumFractionDigits: size < 10 ? 1 : 0 })} ${name}`;
}

/** Never 100 before it is all. */
export function formatPercent(part: number, whole: number): string {
  return `${whole === 0 ? 100 : Math.min(100, Math.floor((part / whole) * 100))}%`;
}
