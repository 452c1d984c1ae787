import { type JSONVisitor, visit } from 'jsonc-parser';

/**
 * The value of JSON that a person wrote, with or without the mark that Windows puts first. A key that is there twice is refused: `JSON.parse` takes the later
 * one without a word, and nobody learns why the earlier one does nothing.
 *
 * @throws {SyntaxError} whose message follows the name of the file: it names the line, says what to do, and lacks
 *   the last period, as problems of settings do
 */
export function parseWrittenJson(text: string): unknown {
  const source = text.replace(/^\uFEFF/, '');
  const { wrongLine, repeated, nulLine } = findMistakes(source.trimEnd());
  if (wrongLine)
    throw new SyntaxError(
      `is not valid JSON: line ${wrongLine}. Look for a missing comma, quotation mark or bracket there or just above`,
    );
  if (repeated)
    throw new SyntaxError(
      `has "${repeated.at}" twice, the second time on line ${repeated.line}. Keep one of them`,
    );
  if (nulLine)
    throw new SyntaxError(
      `has a character on line ${nulLine} that cannot be stored (\\u0000). Remove it`,
    );
  return JSON.parse(source);
}

interface Mistakes {
  readonly wrongLine?: number;
  readonly repeated?: { readonly at: string; readonly line: number };
  /** PostgreSQL's texts cannot contain NUL. */
  readonly nulLine?: number;
}

/** The first of each. @throws {SyntaxError} where groups are nested so deeply that the parser gives up */
function findMistakes(source: string): Mistakes {
  let wrongLine: number | undefined;
  let repeated: Mistakes['repeated'];
  let nulLine: number | undefined;
  const findNul = (value: unknown, line: number) => {
    if (typeof value === 'string' && value.includes('\0')) nulLine ??= line + 1;
  };
  const keysOfOpen: Set<string>[] = [];
  const visitor: JSONVisitor = {
    onError(_code, _offset, _length, line) {
      wrongLine ??= line + 1;
    },
    onObjectBegin() {
      keysOfOpen.push(new Set());
    },
    onObjectProperty(key, _offset, _length, line, _character, readPath) {
      const keys = keysOfOpen.at(-1);
      if (keys?.has(key)) repeated ??= { at: [...readPath(), key].join('.'), line: line + 1 };
      keys?.add(key);
      findNul(key, line);
    },
    onLiteralValue(value, _offset, _length, line) {
      findNul(value, line);
    },
    onObjectEnd() {
      keysOfOpen.pop();
    },
  };
  try {
    visit(source, visitor, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SyntaxError('is not valid: its groups are nested too deeply');
  }
  return {
    ...(wrongLine && { wrongLine }),
    ...(repeated && { repeated }),
    ...(nulLine && { nulLine }),
  };
}
