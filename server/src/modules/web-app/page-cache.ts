import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import { chooseEncoding, type Encoding } from './encodings.ts';
import { gzipInParts } from './gzip-parts.ts';
import type { RenderedPage } from './render.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
const decompressGzip = promisify(gunzip);

export interface CompressedPage {
  readonly encoding: Encoding;
  readonly body: Buffer;
}

/** A rendered document without its text, which is in `compressed`. */
export interface CachedPage {
  readonly page: Omit<RenderedPage, 'html' | 'shared'>;
  compressed(accepted: string | undefined): Promise<CompressedPage>;
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

/** For all visitors: compressed well, once per encoding. Only compressed bytes stay in memory, a fraction of the document. */
export async function createSharedPage({
  html,
  shared: _,
  ...page
}: RenderedPage): Promise<CachedPage> {
  const gzipped = await compressGzip(html);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
  let brotli: Promise<Buffer> | undefined;
  const makers: Record<Encoding, () => Promise<Buffer>> = {
    br() {
      brotli ??= decompressGzip(gzipped).then((document) => compressBrotli(document, { params }));
      return brotli;
    },
    gzip: async () => gzipped,
    // Hardly any browser asks for it.
    identity: () => decompressGzip(gzipped),
  };
  return {
    page,
    async compressed(accepted) {
      const encoding = chooseEncoding(accepted, makers);
      return { encoding, body: await makers[encoding]() };
    },
  };
}

export interface PageCache {
  /** The page of a key; made once, also when many ask for it at the same moment. */
  getOr(key: string, make: () => Promise<CachedPage>): Promise<CachedPage>;
}

/** Pages that visitors share; the one unused for longest is removed first. */
export function createPageCache(maximumPages: number): PageCache {
  const pages = new Map<string, Promise<CachedPage>>();
  return {
    getOr(key, make) {
      const page = pages.get(key) ?? make();
      pages.delete(key);
      pages.set(key, page);
      page.catch(() => {
        if (pages.get(key) === page) pages.delete(key);
      });
      const [oldest] = pages.keys();
      if (pages.size > maximumPages && oldest !== undefined) pages.delete(oldest);
      return page;
    },
  };
}
