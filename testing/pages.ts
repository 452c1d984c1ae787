import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A block of code of a page in docs/. */
export interface CodeBlock {
  /** `sh`, `ini`, `sql`, `json` … */
  readonly language: string;
  /** Of the part that it is in. */
  readonly heading: string;
  readonly text: string;
}

/** In the order of the page. @param name such as `operations/backup.md` */
export function readCodeBlocks(name: string): CodeBlock[] {
  const text = readFileSync(path.resolve(import.meta.dirname, '../docs', name), 'utf8');
  const blocks: CodeBlock[] = [];
  let heading = '';
  let block: { language: string; indent: string; lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const [, indent = '', language] = /^( *)```(\w*)$/.exec(line) ?? [];
    if (block) {
      if (language === '') {
        blocks.push({ language: block.language, heading, text: `${block.lines.join('\n')}\n` });
        block = undefined;
      } else block.lines.push(line.slice(block.indent.length));
    } else if (language !== undefined && language !== '') block = { language, indent, lines: [] };
    else heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
  }
  return blocks;
}
