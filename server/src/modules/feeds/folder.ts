import { createHash } from 'node:crypto';
import {
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../platform/log.ts';
import { copyWhole, nameFor, reserveName } from './filed-names.ts';
import {
  copyUnlessChanged,
  createFile,
  type DroppedFile,
  isSame,
  look,
  NotAFolder,
  type Oddity,
  readSmallFile,
  withinFolder,
} from './guarded-files.ts';

/** The reports stored beside a processed file. */
export interface FiledReport {
  readonly text: string;
  readonly json: unknown;
  /** Where to copy the refused rows from; null without refused rows. */
  readonly rejectsFile: string | null;
}

/** What lies in the folder. */
export interface Listing {
  /** What may be an office's data, in the order in which it arrived. */
  readonly files: readonly DroppedFile[];
  /** Links and the like, which stay where they are, by name. */
  readonly oddities: ReadonlyMap<string, Oddity>;
}

/** Names that programs give to unfinished files, and files that are not data. */
const unfinished =
  /^[.~]|~$|\.(part|partial|filepart|tmp|temp|crdownload|upload(ing)?|writing|lock|swp|bak)$/i;

/** The folder belongs to another office. */
export class FolderTaken extends Error {
  override readonly name = 'FolderTaken';
  readonly owner: string;
  /** The file that records the owner. */
  readonly path: string;

  constructor(owner: string, path: string) {
    super(`The folder belongs to ${owner}.`);
    this.owner = owner;
    this.path = path;
  }
}

/**
 * The folder that an office's exporter fills. Strangers write to it, so nothing is read there but by a copy: each file is
 * copied into a folder of ours and read there, where no export with the same name and no exchanged link can change it.
 * Then the file itself moves into `done/` or `failed/`.
 */
export class DropFolder {
  readonly path: string;
  readonly #stateDirectory: string;
  #state = '';

  /** @param stateDirectory of all watched folders, where no stranger writes */
  constructor(path: string, stateDirectory: string) {
    this.path = path;
    this.#stateDirectory = stateDirectory;
  }

  /** Creates the folders. Throws when the folder does not exist or cannot be written, or one inside it is a link. */
  async prepare(): Promise<void> {
    await readdir(this.path);
    for (const name of ['done', 'failed']) {
      await mkdir(join(this.path, name), { mode: 0o770 }).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error;
      });
      await withinFolder(join(this.path, name), async () => {});
    }
    const real = await realpath(this.path);
    const key = createHash('sha256').update(real).digest('hex').slice(0, 32);
    this.#state = join(this.#stateDirectory, key);
    await mkdir(this.#copies, { recursive: true, mode: 0o700 });
    await writeFile(join(this.#state, 'folder'), `${real}\n`, { mode: 0o600 });
  }

  /** Where files lie while they are imported. */
  get #copies(): string {
    return join(this.#state, 'importing');
  }

  /**
   * Assigns the folder to this office permanently: two offices that shared it would import each other's voters.
   * @throws {FolderTaken}
   */
  async claimFor(subdomain: string): Promise<void> {
    const path = join(this.#state, 'account');
    const recorded = (await readFile(path, 'utf8').catch(() => '')).trim();
    const owner = recorded || (await this.#takeFormerOwner()) || subdomain;
    if (recorded === '') await writeFile(path, `${owner}\n`, { mode: 0o600 });
    if (owner !== subdomain) throw new FolderTaken(owner, path);
  }

  /** An earlier version recorded the owner in the folder. */
  async #takeFormerOwner(): Promise<string | undefined> {
    return this.#withinFormer(async (former) => {
      const path = join(former, '.account');
      const text = await readSmallFile(path, 64);
      await rm(path, { force: true });
      return /^[a-z0-9-]{1,63}(?=\n?$)/.exec(text ?? '')?.[0];
    });
  }

  /** The `importing/` that earlier versions kept inside the folder; undefined where there is none. */
  async #withinFormer<T>(work: (former: string) => Promise<T>): Promise<T | undefined> {
    const path = join(this.path, 'importing');
    return withinFolder(path, work).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT' || error instanceof NotAFolder) return undefined;
      throw error;
    });
  }

  async list(): Promise<Listing> {
    const files: DroppedFile[] = [];
    const oddities = new Map<string, Oddity>();
    for (const name of await readdir(this.path)) {
      if (unfinished.test(name)) continue;
      const found = await look(join(this.path, name), name);
      if (typeof found === 'object' && found.size > 0) files.push(found);
      if (typeof found === 'string' && found !== 'folder') oddities.set(name, found);
    }
    files.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
    return { files, oddities };
  }

  /**
   * Copies the file to where it is imported.
   * @returns the copy's path, or null when the file is gone or changed since it was checked
   */
  async copy(file: DroppedFile): Promise<string | null> {
    const half = join(this.#state, 'copying');
    const isWhole = await copyUnlessChanged(join(this.path, file.name), file, half).catch(
      async (error: unknown) => {
        await rm(half, { force: true });
        throw error;
      },
    );
    if (!isWhole) {
      await rm(half, { force: true });
      return null;
    }
    const path = join(this.#copies, file.name);
    await rename(half, path);
    return path;
  }

  /** Whether the file is as it was when it was copied. */
  async isUnchanged(file: DroppedFile): Promise<boolean> {
    const now = await look(join(this.path, file.name), file.name);
    return typeof now === 'object' && isSame(now, file);
  }

  discard(name: string): Promise<void> {
    return rm(join(this.#copies, name), { force: true });
  }

  /**
   * The copies that a watch left over when it died, and whose file is gone. Where it is still there, it will be copied
   * again.
   */
  async listLeftOver(): Promise<DroppedFile[]> {
    const left: DroppedFile[] = [];
    for (const name of await readdir(this.#copies)) {
      const copy = await look(join(this.#copies, name), name);
      if (typeof copy !== 'object') continue;
      if (!(await look(join(this.path, name), name))) left.push(copy);
    }
    return left.sort((a, b) => a.mtimeMs - b.mtimeMs);
  }

  pathOfCopy(name: string): string {
    return join(this.#copies, name);
  }

  /** Puts the files of an earlier version's `importing/` back among the waiting files, and removes it. */
  async adoptFormer(): Promise<void> {
    await this.#withinFormer(async (former) => {
      for (const name of await readdir(former)) {
        if (unfinished.test(name)) continue;
        let to = name;
        for (let count = 1; (await look(join(this.path, to), to)) !== undefined; count += 1)
          to = `${count}-${name}`;
        await rename(join(former, name), join(this.path, to));
      }
    });
    // Others' files keep it there.
    await rmdir(join(this.path, 'importing')).catch(() => {});
  }

  /**
   * Moves a file that was imported from its copy, with its reports, to its final folder, under an unused name. The reports
   * are written first: they reserve the name, and the file never appears without them.
   *
   * @param file as it was copied; left over from a watch that died: the copy itself
   * @param describe gets the path of the copy of the refused rows
   * @returns the file's new path
   */
  async file(
    file: DroppedFile,
    where: 'done' | 'failed',
    now: Date,
    describe: (rejectsCopy: string | null) => Omit<FiledReport, 'rejectsFile'>,
    rejectsFile: string | null,
  ): Promise<string> {
    const folder = join(this.path, where);
    const wanted = nameFor(file.name, now);
    return withinFolder(folder, async (opened) => {
      let path = '';
      const fill = async (name: string) => {
        const to = join(opened, name);
        path = join(folder, name);
        if (rejectsFile !== null) await copyWhole(rejectsFile, `${to}.rejects.csv`);
        const { text, json } = describe(rejectsFile === null ? null : `${path}.rejects.csv`);
        await createFile(`${to}.report.json`, (report) =>
          report.writeFile(`${JSON.stringify(json, null, 2)}\n`),
        );
        return `${text}\n`;
      };
      const name = await reserveName(opened, wanted, fill);
      await this.#moveFile(file, join(opened, name));
      return path;
    });
  }

  async #moveFile(file: DroppedFile, to: string): Promise<void> {
    const copy = this.pathOfCopy(file.name);
    const from = join(this.path, file.name);
    if (await this.isUnchanged(file)) {
      try {
        await rename(from, to);
        return await this.discard(file.name);
      } catch (error) {
        if (codeOf(error) !== 'EXDEV') throw error;
      }
    }
    await copyWhole(copy, to);
    if (await this.isUnchanged(file)) await unlink(from);
    await this.discard(file.name);
  }
}
