import type { Texts } from '@ballot-beacon/contract/translate';

/** Blocks of a static page that contain text; everything between them is the page's frame. */
const block = /(<(h[1-6]|p|li|dt|dd|summary|td|th|caption)\b[^>]*>)([\s\S]*?)(<\/\2>)/g;
const nestedBlock = /<(h[1-6]|p|ul|ol|dl|table|div|section)\b/;

export interface HtmlParts {
  /** The page with `§N§` for each text. Alike in every language. */
  readonly frame: string;
  /** Texts by their number, from 1; inline tags are part of the text. */
  readonly texts: Texts;
}

/** Takes a page of locales/LANGUAGE/pages apart into a frame and numbered texts. */
export function splitHtml(html: string): HtmlParts {
  const texts: Record<string, string> = {};
  let count = 0;
  const replaceBlocks = (piece: string): string =>
    piece.replaceAll(block, (whole, open: string, _name, inner: string, close: string) => {
      if (nestedBlock.test(inner)) return `${open}${replaceBlocks(inner)}${close}`;
      if (inner.trim() === '') return whole;
      count += 1;
      texts[String(count)] = inner.replaceAll(/\s+/g, ' ').trim();
      return `${open}§${count}§${close}`;
    });
  const frame = replaceBlocks(html);
  return { frame, texts };
}

/** Puts a page together again. */
export function joinHtml({ frame, texts }: HtmlParts): string {
  return frame.replaceAll(/§(\d+)§/g, (_mark, number: string) => texts[number] ?? '');
}
