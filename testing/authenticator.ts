import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A passkey in software, as a person's phone keeps one: made by an invitation, used for each sign-in. */
export interface TestPasskey {
  /** Answers the challenge of an invitation, as a browser on this origin does. */
  register(options: unknown): object;
  /** Answers the challenge of a sign-in. @param use its own count of its uses; of a copy it is behind */
  signIn(options: unknown, use?: number): object;
}

const userPresent = 0x01;
const userVerified = 0x04;
const hasCredential = 0x40;

/** @param origin such as `http://adams.localhost` */
export function createTestPasskey(origin: string): TestPasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const rpId = new URL(origin).hostname;
  let counter = 0;

  const describe = (type: 'webauthn.create' | 'webauthn.get', options: unknown) => {
    const { challenge } = options as { challenge: string };
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  };
  const answer = (response: Record<string, string>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    register(options) {
      const clientData = describe('webauthn.create', options);
      const credential = Buffer.concat([Buffer.alloc(16), length(id), id, coseKey(publicKey)]);
      const data = authenticatorData(rpId, userPresent | userVerified | hasCredential, counter);
      const authData = Buffer.concat([data, credential]);
      const attestation = cbor(
        new Map<unknown, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      );
      return answer({
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      });
    },
    signIn(options, use = counter + 1) {
      counter = Math.max(counter, use);
      const clientData = describe('webauthn.get', options);
      const data = authenticatorData(rpId, userPresent | userVerified, use);
      const hash = createHash('sha256').update(clientData).digest();
      return answer({
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, hash]), privateKey).toString('base64url'),
      });
    },
  };
}

/** WebAuthn Level 3, 6.1 */
function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const tail = Buffer.alloc(5);
  tail.writeUInt8(flags, 0);
  tail.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), tail]);
}

function length(bytes: Buffer): Buffer {
  const two = Buffer.alloc(2);
  two.writeUInt16BE(bytes.length);
  return two;
}

/** An ES256 key by RFC 9053, 7.1.1. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return cbor(
    new Map<unknown, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}

/** As much of RFC 8949 as a passkey needs. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(cbor)]);
}

function head(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument]);
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument]);
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 0xff]);
}
