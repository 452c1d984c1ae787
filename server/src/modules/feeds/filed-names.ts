import { createReadStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { shortenName } from '../../platform/file-name.ts';
import { codeOf } from '../../platform/log.ts';
import { createFile, look } from './guarded-files.ts';

/** Copies under a temporary name first, so that the file never appears in part. */
export async function copyWhole(from: string, to: string): Promise<void> {
  const part = `${to}.part`;
  await createFile(part, (copy) => copy.writeFile(createReadStream(from)));
  await rename(part, to);
}

/**
 * Creates the report, which reserves the name: two watchers with the same name get two different names.
 * @param fill writes what belongs beside the report. @returns the report
 * @returns the name
 */
export async function reserveName(
  folder: string,
  wanted: string,
  fill: (name: string) => Promise<string>,
): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${count}-${wanted}`;
    if ((await look(join(folder, name), name)) !== undefined) continue;
    let isReserved = false;
    try {
      await createFile(join(folder, `${name}.report.txt`), async (report) => {
        isReserved = true;
        await report.writeFile(await fill(name));
      });
      return name;
    } catch (error) {
      if (isReserved || codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

/** The time it was processed, and the file's own name. */
export function nameFor(name: string, now: Date): string {
  return `${stampOf(now)}-${shortenName(name)}`;
}

/** `20261121T145237-123Z` */
function stampOf(now: Date): string {
  return now.toISOString().replace(/[-:]/g, '').replace('.', '-');
}
