import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Fixtures of a check in one text file: a line `=== NAME` starts a case, a line `--- PATH` a file of it, and
 * `--- PATH (deleted)` takes away a file that another case has put there.
 */
export interface Fixture {
  readonly names: readonly string[];
  /** Writes the files of a case below `folder`, which may have those of another case. */
  unpack(name: string, folder: string): void;
}

/** @throws when the text starts otherwise than with a case, or has a case twice. */
export function readFixture(file: string): Fixture {
  const cases = new Map<string, string>();
  const [before = '', ...parts] = `\n${readFileSync(file, 'utf8').replace(/\n$/, '')}`.split(
    '\n=== ',
  );
  if (before.trim() !== '') throw new Error(`${file} must start with a line === NAME.`);
  for (const part of parts) {
    const end = part.indexOf('\n');
    const name = part.slice(0, end);
    if (cases.has(name)) throw new Error(`${file} has the case ${name} twice.`);
    cases.set(name, part.slice(end));
  }
  return {
    names: [...cases.keys()],
    unpack(name, folder) {
      const content = cases.get(name);
      if (content === undefined) throw new Error(`${file} has no case ${name}.`);
      for (const piece of content.split('\n--- ').slice(1)) {
        const end = piece.indexOf('\n');
        const [, relative = '', deleted] =
          /^(.*?)( \(deleted\))?$/.exec(end < 0 ? piece : piece.slice(0, end)) ?? [];
        const target = path.join(folder, relative);
        mkdirSync(path.dirname(target), { recursive: true });
        if (deleted) rmSync(target);
        else writeFileSync(target, `${piece.slice(end + 1)}\n`);
      }
    },
  };
}
