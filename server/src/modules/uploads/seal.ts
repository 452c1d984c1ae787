import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** What the database stores of a file's key: nothing without the installation's own keys. */
export interface StoredKey {
  readonly salt: Buffer;
  /** Which of the installation's keys it is. */
  readonly keyId: string;
}

/** Seals and opens what belongs to one file. */
export interface FileSeal {
  /** @param place what the bytes are, such as `file 7`: opened under another name they are refused */
  seal(place: string, bytes: Buffer): Buffer;
  /** @throws {SealBroken} */
  open(place: string, sealed: Buffer): Buffer;
}

/** What is in the database cannot be opened: its key is not here, or it was changed. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** The installation's keys of uploaded files. */
export interface FileKeys {
  /** Without any key nothing can be uploaded. */
  readonly isReady: boolean;
  /** Names of the keys, as they are stored beside each file. */
  readonly ids: readonly string[];
  /** A key for one file, under the newest of the installation's. */
  create(): StoredKey;
  /** @throws {SealBroken} when the key is not among these */
  open(stored: StoredKey): FileSeal;
}

/**
 * Each file has a key of its own, derived from its salt and a key that is not in the database (HKDF-SHA-256); each part of it is sealed by
 * AES-256-GCM under a random nonce and its own name.
 *
 * @param keys newest first
 */
export function createFileKeys(keys: readonly string[]): FileKeys {
  const known = keys.map((key) => ({ key, id: nameOf(key) }));
  const [newest] = known;
  return {
    isReady: newest !== undefined,
    ids: known.map(({ id }) => id),
    create() {
      if (!newest) throw new SealBroken('There is no key for files.');
      return { salt: randomBytes(16), keyId: newest.id };
    },
    open({ salt, keyId }) {
      const found = known.find(({ id }) => id === keyId);
      if (!found) throw new SealBroken('The key of this file is not set.');
      return createSeal(Buffer.from(hkdfSync('sha256', found.key, salt, 'ballot-beacon file', 32)));
    },
  };
}

/** Names a key without giving it away. */
function nameOf(key: string): string {
  return createHmac('sha256', key).update('name of a file key').digest('hex').slice(0, 16);
}

function createSeal(key: Buffer): FileSeal {
  return {
    seal(place, bytes) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(place));
      return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    open(place, sealed) {
      const end = sealed.length - tagBytes;
      if (end < nonceBytes) throw new SealBroken('A sealed part is too short.');
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes))
        .setAAD(Buffer.from(place))
        .setAuthTag(sealed.subarray(end));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, end)), decipher.final()]);
      } catch {
        throw new SealBroken('A sealed part was changed.');
      }
    },
  };
}
