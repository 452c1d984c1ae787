/** What a spreadsheet program would run, or take for a formula (OWASP, CSV Injection). */
const formula = /^[=+\-@\t\r＝＋－＠]/;

/**
 * A file that spreadsheet programs open: UTF-8 with its mark, lines as in RFC 4180. A cell that begins like a formula gets an
 * apostrophe, which the programs do not show.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) =>
    `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}
