import { crc32, deflateSync } from 'node:zlib';
import encodeQR from 'qr';

/** Light modules around the code that scanners need (ISO/IEC 18004 §6.3.8). */
const border = 4;
/** A crease or a postmark may cover 15 % of a code on an envelope. */
const ecc = 'medium';

/** The code's rows, dark as true, with the light modules around it. */
export function layOutQr(text: string): boolean[][] {
  return encodeQR(text, 'raw', { ecc, border });
}

/** The code as a drawing, without a size of its own. */
export function drawQrSvg(text: string): string {
  return encodeQR(text, 'svg', { ecc, border });
}

/** The code as a PNG of one bit per dot. @param scale dots per module; 12 is 300 dpi at about 45 mm */
export function drawQrPng(text: string, scale = 12): Buffer {
  const modules = layOutQr(text);
  const size = modules.length * scale;
  const lines = modules.flatMap((row) => {
    const line = packLine(row, scale);
    return Array.from({ length: scale }, () => line);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([1, 0, 0, 0, 0], 8); // one bit, grayscale, and the only compression, filter and order that exist
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** One line of dots, white as 1, after the byte that says it is unfiltered. */
function packLine(row: readonly boolean[], scale: number): Buffer {
  const dots = row.length * scale;
  const line = Buffer.alloc(1 + Math.ceil(dots / 8));
  for (let dot = 0; dot < dots; dot += 1) {
    const isDark = row[Math.floor(dot / scale)] === true;
    const at = 1 + (dot >> 3);
    if (!isDark) line[at] = (line[at] ?? 0) | (0x80 >> (dot & 7));
  }
  return line;
}

/** PNG §5.3: length, type, data, checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
