import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../docs/console.md', import.meta.url));

/** Where the pictures of the clerks' page lie. */
export const picturesFolder = fileURLToPath(new URL('../../docs/console/', import.meta.url));

export interface Picture {
  /** In {@link picturesFolder}. */
  readonly file: string;
  /** What those read who do not see it. */
  readonly alt: string;
  /** The state of the console that it shows: `voter-who-called.webp` shows `voter who called`. */
  readonly screen: string;
}

/** Every picture that the clerks' page names, in its order. */
export function listPictures(): Picture[] {
  const named = readFileSync(page, 'utf8').matchAll(/!\[([^\]]*)\]\(console\/([\w.-]+)\)/g);
  return Array.from(named, ([, alt = '', file = '']) => ({
    file,
    alt,
    screen: file.replace(/\.webp$/, '').replaceAll('-', ' '),
  }));
}
