import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type Config, ConfigError } from './config.ts';

/**
 * Keyed hashes for a purpose each. With two secrets the first signs and both are accepted, so that a secret is
 * replaced without logging anybody out or breaking a mailed link.
 */
export interface Secrets {
  /** HMAC-SHA-256, 32 bytes. The same text under another purpose gives another hash. */
  sign(purpose: string, text: string): Buffer;
  /** Compares in constant time against every current secret. */
  verify(purpose: string, text: string, signature: Buffer): boolean;
  /** A key per secret for libraries that sign by themselves, newest first: sign with the first, accept any. */
  keys(purpose: string): readonly [string, ...string[]];
}

export function createSecrets(secrets: readonly string[]): Secrets {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('At least one secret is needed.');
  const hash = (secret: string, purpose: string, text: string) =>
    createHmac('sha256', secret).update(`${purpose}\0${text}`).digest();
  return {
    sign: (purpose, text) => hash(newest, purpose, text),
    verify(purpose, text, signature) {
      let matches = false;
      for (const secret of secrets) {
        const expected = hash(secret, purpose, text);
        if (expected.length === signature.length && timingSafeEqual(expected, signature)) {
          matches = true;
        }
      }
      return matches;
    },
    keys: (purpose) => [
      hash(newest, purpose, 'key').toString('base64url'),
      ...secrets.slice(1).map((secret) => hash(secret, purpose, 'key').toString('base64url')),
    ],
  };
}

/**
 * The configured secrets; without any, outside production, one of the installation's own in `BEACON_DATA/secret`
 * (mode 0600).
 *
 * @throws in production without `BEACON_SECRETS`.
 */
export function loadSecrets(config: Config): Secrets {
  if (config.secrets !== undefined) return createSecrets(config.secrets);
  if (config.production) {
    throw new ConfigError(
      'In production set BEACON_SECRETS (or BEACON_SECRETS_FILE) to a random text of 32 characters or more.',
    );
  }
  return createSecrets([
    readOwnSecret(config.dataDirectory, 'secret', 'links in messages already sent stop working'),
  ]);
}

/**
 * The keys of voters' security tokens, newest first: the configured ones; without any, outside production, one of the installation's own in
 * `BEACON_DATA/token-key` (mode 0600), and in production none.
 */
export function loadTokenKeys(config: Config): readonly string[] {
  if (config.tokenKeys !== undefined) return config.tokenKeys;
  if (config.production) return [];
  return [
    readOwnSecret(config.dataDirectory, 'token-key', 'import the voters with their tokens again'),
  ];
}

/**
 * The keys that seal uploaded files, newest first: the configured ones; without any, outside production, one of the installation's own
 * in `BEACON_DATA/file-key` (mode 0600), and in production none.
 */
export function loadFileKeys(config: Config): readonly string[] {
  if (config.fileKeys !== undefined) return config.fileKeys;
  if (config.production) return [];
  return [readOwnSecret(config.dataDirectory, 'file-key', 'upload the files again')];
}

function readOwnSecret(dataDirectory: string, name: string, consequence: string): string {
  const file = join(dataDirectory, name);
  try {
    mkdirSync(dataDirectory, { recursive: true });
    if (!existsSync(file)) makeSecret(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `BEACON_DATA is ${dataDirectory}, where this user cannot write (${code}). Give a folder of this user's, on a disk with room.`,
    );
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 32) {
    throw new ConfigError(`${file} is damaged. Delete it, and ${consequence}.`);
  }
  return secret;
}

function makeSecret(file: string): void {
  // Written aside and then named: another process never reads half of it, and of two makers one wins.
  const half = `${file}.${process.pid}`;
  try {
    writeFileSync(half, randomBytes(32).toString('base64url'), { mode: 0o600 });
    linkSync(half, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(half, { force: true });
  }
}
