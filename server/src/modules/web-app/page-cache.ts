import { chooseEncoding } from '../../platform/encodings.ts';
import { type PackedText, packText } from '../../platform/packed-text.ts';
import { gzipInParts } from './gzip-parts.ts';
import type { RenderedPage } from './render.ts';

/** A rendered document without its text, which is compressed. */
export interface CachedPage extends PackedText {
  readonly page: Omit<RenderedPage, 'html' | 'shared'>;
}

/**
 * For one visitor, and gone afterwards. Every browser takes gzip, whose streams can be put together out of parts that are
 * compressed already; that of Brotli cannot.
 */
export function createOwnPage({ html, shared, ...page }: RenderedPage): CachedPage {
  const makers = {
    gzip: async () => gzipInParts(html, shared),
    identity: async () => Buffer.from(html),
  };
  return {
    page,
    async compressed(accepted) {
      const encoding = chooseEncoding(accepted, makers) === 'gzip' ? 'gzip' : 'identity';
      return { encoding, body: await makers[encoding]() };
    },
  };
}

/** For all visitors. */
export async function createSharedPage({
  html,
  shared: _,
  ...page
}: RenderedPage): Promise<CachedPage> {
  return { page, ...(await packText(html)) };
}
