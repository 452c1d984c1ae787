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

/** Cuts a line into fields of so many characters each. What follows the last is one more field; a short line lacks only spaces. */
export function cutByWidths(line: string, widths: readonly number[], cells: string[]): void {
  let at = 0;
  for (const width of widths) {
    cells.push(line.slice(at, at + width));
    at += width;
  }
  if (line.slice(at).trim() !== '') cells.push(line.slice(at));
}

export function skipSpaces(text: string, start: number, delimiter: string): number {
  let at = start;
  while (text[at] === ' ' && delimiter !== ' ') at += 1;
  return at;
}

const quoted = /"(?:[^"\n]|"")*"/y;

/**
 * Some programs write a space before a quotation mark that opens a value. It is one only where the value ends on its line and nothing
 * else follows.
 * @returns where it is, or else the start
 */
export function findOpeningQuote(text: string, start: number, delimiter: string): number {
  const quote = skipSpaces(text, start, delimiter);
  quoted.lastIndex = quote;
  if (!quoted.test(text)) return start;
  const next = text[skipSpaces(text, quoted.lastIndex, delimiter)] ?? '';
  return [delimiter, '\r', '\n'].includes(next) ? quote : start;
}
