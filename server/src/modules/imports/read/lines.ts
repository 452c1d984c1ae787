/** Nothing, blanks, or the end-of-file mark of DOS. */
export function isBlank(line: string): boolean {
  return line.replace('\u001a', '').trim() === '';
}

export function countLines(text: string, start: number, end: number): number {
  let lines = 1;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
    lines += 1;
  }
  return lines;
}
