import { statfs } from 'node:fs/promises';
import type { Finding } from './findings.ts';

const leastFree = 0.1;
const leastFreeBytes = 2 * 1024 ** 3;

/** Of a file system, in blocks of `bsize` bytes. */
export interface Room {
  readonly blocks: number;
  /** For users that are not root. */
  readonly bavail: number;
  readonly bsize: number;
}

/** Whether less than a tenth is free, or less than 2 GB. */
export function isNearlyFull({ blocks, bavail, bsize }: Room): boolean {
  return bavail * bsize < leastFreeBytes || bavail < blocks * leastFree;
}

export async function checkDisk(folder: string): Promise<Finding | undefined> {
  const room = await statfs(folder).catch(() => undefined);
  if (room === undefined || !isNearlyFull(room)) return undefined;
  const free = (room.bavail * room.bsize) / 1024 ** 3;
  return {
    id: 'disk.space',
    problem: `The disk of ${folder} is nearly full: ${free.toFixed(1)} GB are free.`,
    fix: 'Free at least a tenth of it, and 2 GB.',
  };
}
