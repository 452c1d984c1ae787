import { isUtf8 } from 'node:buffer';

/**
 * The text of a file that a person wrote, without the mark and the line ends of Windows. Letters of another encoding would reach voters as
 * other letters, so they are refused.
 *
 * @throws {SyntaxError} whose message follows the name of the file and lacks the last period, as problems of settings do
 */
export function decodeWritten(bytes: Buffer): string {
  if (!isUtf8(bytes) || bytes.includes(0))
    throw new SyntaxError('is not text in UTF-8. Save it as UTF-8 and try again');
  return bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n');
}
