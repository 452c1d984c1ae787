import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { chooseEncoding, type Encoding } from './encodings.ts';
import type { RenderedPage } from './render.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export interface CompressedPage {
  readonly encoding: Encoding;
  readonly body: Buffer;
}

/** A rendered document, compressed once per encoding. */
export interface CachedPage {
  readonly page: RenderedPage;
  compressed(accepted: string | undefined): Promise<CompressedPage>;
}

/** @param isKept whether the page is cached and so worth compressing well. */
export function createCachedPage(page: RenderedPage, isKept: boolean): CachedPage {
  const document = Buffer.from(page.html);
  const bodies = new Map<Encoding, Promise<Buffer>>();
  const quality = isKept ? 10 : 4;
  const makers: Record<Encoding, () => Promise<Buffer>> = {
    br: () => compressBrotli(document, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    gzip: () => compressGzip(document),
    identity: async () => document,
  };
  return {
    page,
    async compressed(accepted) {
      const encoding = chooseEncoding(accepted, makers);
      const body = bodies.get(encoding) ?? makers[encoding]();
      bodies.set(encoding, body);
      return { encoding, body: await body };
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
