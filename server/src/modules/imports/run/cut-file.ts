import type { EarlierFile, GateReason } from '../kinds/kind.ts';

/** So many files show how their exporter ends them. */
const [fewestFiles, mostFiles] = [3, 5];

/**
 * Why a file that ends in the middle of a line is not whole; null where the last files ended so too. A last line that lacks
 * values is refused before: here the last value itself may be cut off, and any number of lines after it.
 *
 * @param earlier newest first
 */
export function explainCutFile(earlier: readonly EarlierFile[]): GateReason | null {
  const last = earlier.slice(0, mostFiles);
  if (last.length < fewestFiles || last.some(({ endsInLine }) => endsInLine !== false)) return null;
  const detail =
    'The file ends in the middle of a line, as none of your last files did. Its end is probably missing. Download or export it again.';
  return { code: 'cut-file', detail };
}
