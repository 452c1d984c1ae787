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

/** A rendered document, compressed once per form. */
export interface HeldPage {
  readonly page: RenderedPage;
  compressed(accepted: string | undefined): Promise<CompressedPage>;
}

/** @param isKept a page that will be sent often is worth compressing well. */
export function holdPage(page: RenderedPage, isKept: boolean): HeldPage {
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
  get(key: string): Promise<HeldPage> | undefined;
  set(key: string, page: Promise<HeldPage>): void;
}

/** Public pages, the oldest let go first. */
export function createPageCache(maximumPages: number): PageCache {
  const held = new Map<string, Promise<HeldPage>>();
  return {
    get: (key) => held.get(key),
    set(key, page) {
      held.set(key, page);
      page.catch(() => {
        if (held.get(key) === page) held.delete(key);
      });
      const [oldest] = held.keys();
      if (held.size > maximumPages && oldest !== undefined) held.delete(oldest);
    },
  };
}
