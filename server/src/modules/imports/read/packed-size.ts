import { FileRefused } from './source-file.ts';

/** A statewide roll of eight million voters unpacks to four gigabytes. */
const mostUnpacked = 10 * 1024 ** 3;
/** Lists of voters shrink to a tenth, at best to a fiftieth. What shrinks more was made to fill a disk. */
const mostRatio = 200;
/** Below this size a ratio says nothing: a short file can be one value repeated. */
const fewBytes = 32 * 1024 ** 2;

/**
 * Passes on what is unpacked, as long as there is not too much of it.
 * @param packed bytes of the packed file
 * @throws {FileRefused}
 */
export async function* withinLimits(
  unpacked: AsyncIterable<Buffer>,
  packed: number,
  name: string,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of unpacked) {
    bytes += piece.length;
    if (bytes > mostUnpacked)
      throw new FileRefused(
        `${name} unpacks to more than ${mostUnpacked / 1024 ** 3} GB. Export the file again, or in parts.`,
      );
    if (bytes > fewBytes && bytes > packed * mostRatio)
      throw new FileRefused(
        `${name} unpacks to more than ${mostRatio} times its size, which no list of voters does. Check where it comes from, and export it again.`,
      );
    yield piece;
  }
}
