import { readdir, readFile } from 'node:fs/promises';
import { parseWrittenJson } from '../../../platform/written-json.ts';
import { decodeWritten } from '../../../platform/written-text.ts';
import { type Format, type FormatProblem, readFormat } from './format.ts';

const builtInDirectory = new URL('./', import.meta.url);

export type FoundFormat =
  | { readonly ok: true; readonly format: Format }
  | { readonly ok: false; readonly message: string; readonly problems: readonly FormatProblem[] };

let builtIn: Promise<readonly Format[]> | undefined;

/**
 * Every format the product brings, by name. Read once: an upgrade that replaces the files under a running process, or
 * a process without a free file descriptor, must not fail a visitor's request.
 */
export function listFormats(): Promise<readonly Format[]> {
  builtIn ??= readBuiltIn().catch((error: unknown) => {
    builtIn = undefined;
    throw error;
  });
  return builtIn;
}

async function readBuiltIn(): Promise<readonly Format[]> {
  const files = (await readdir(builtInDirectory)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (name) => {
      const read = readFormat(JSON.parse(await readFile(new URL(name, builtInDirectory), 'utf8')));
      if (read.ok) return read.format;
      const [first] = read.problems;
      throw new Error(`The built-in format ${name} is wrong at ${first?.at}: ${first?.message}`);
    }),
  );
}

/** @param nameOrPath a built-in format's name, or the path of an office's own format file (`*.json`) */
export async function findFormat(nameOrPath: string): Promise<FoundFormat> {
  if (nameOrPath.endsWith('.json')) return readFormatFile(nameOrPath);
  const formats = await listFormats();
  const format = formats.find(({ name }) => name === nameOrPath);
  if (format) return { ok: true, format };
  const names = formats.map(({ name }) => name).join(', ');
  const message = `There is no format ${nameOrPath}. The formats are ${names}; an office's own is given as a path ending in .json.`;
  return { ok: false, message, problems: [] };
}

async function readFormatFile(path: string): Promise<FoundFormat> {
  const refuse = (message: string, problems: readonly FormatProblem[] = []): FoundFormat => ({
    ok: false,
    message,
    problems,
  });
  let json: unknown;
  try {
    json = parseWrittenJson(decodeWritten(await readFile(path)));
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'cannot be read';
    return refuse(`The format file ${path} ${why}.`);
  }
  const read = readFormat(json);
  if (read.ok) return read;
  return refuse(`The format file ${path} cannot be used. Correct this:`, read.problems);
}
