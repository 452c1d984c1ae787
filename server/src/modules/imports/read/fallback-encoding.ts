/** What the bytes of a line that is not UTF-8 are read as. */
export type FallbackEncoding = 'windows-1252' | 'cp437';

const windows1252 = new TextDecoder('windows-1252');
/** The upper half of code page 437, of IBM's PCs, which some registration systems still write. */
const cp437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

export function decodeBytes(bytes: Buffer, encoding: FallbackEncoding): string {
  if (encoding === 'windows-1252') return windows1252.decode(bytes);
  return bytes
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (character) => cp437[character.charCodeAt(0) - 0x80] ?? character);
}
