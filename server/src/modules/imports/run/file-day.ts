import { basename } from 'node:path';
import type { KindTask } from '../kinds/kind.ts';
import type { Day } from '../read/dates.ts';
import { findNameDay } from './old-file.ts';

/** The day that a file is of, once it is read: by the date that its exporter wrote into it, or else by its name. */
export function findFileDay({ findings, file, today, elections }: KindTask): Day | null {
  return findings.fileDay ?? findNameDay(basename(file.name), today, elections);
}
