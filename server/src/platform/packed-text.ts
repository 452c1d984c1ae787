import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import { chooseEncoding, type Encoding } from './encodings.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
const decompressGzip = promisify(gunzip);

export interface Packed {
  readonly encoding: Encoding;
  readonly body: Buffer;
}

export interface PackedText {
  /** @param accepted the request's accept-encoding */
  compressed(accepted: string | undefined): Promise<Packed>;
}

/** What many visitors get, compressed well, once per encoding. Only compressed bytes stay in memory, a fraction of the text. */
export async function packText(text: string): Promise<PackedText> {
  const gzipped = await compressGzip(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
  let brotli: Promise<Buffer> | undefined;
  const makers: Record<Encoding, () => Promise<Buffer>> = {
    br() {
      brotli ??= decompressGzip(gzipped).then((bytes) => compressBrotli(bytes, { params }));
      return brotli;
    },
    gzip: async () => gzipped,
    // Hardly any browser asks for it.
    identity: () => decompressGzip(gzipped),
  };
  return {
    async compressed(accepted) {
      const encoding = chooseEncoding(accepted, makers);
      return { encoding, body: await makers[encoding]() };
    },
  };
}
