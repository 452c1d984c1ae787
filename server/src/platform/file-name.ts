import { extname } from 'node:path';

/** The longest name in bytes, so that the names of what lies beside the file fit a file system's limit of 255. */
const longestName = 200;

/** The name as others are to read it: a mark in it that turns letters around would make another of it, such as of its ending. */
export function plainName(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Bidi_C}]/gu, '\ufffd');
}

/** The name with its ending, without the last letters before that where it is too long. */
export function shortenName(name: string): string {
  const end = extname(name).slice(0, 20);
  let stem = name.slice(0, name.length - extname(name).length);
  while (Buffer.byteLength(stem + end) > longestName) stem = stem.slice(0, -1);
  return stem + end;
}
