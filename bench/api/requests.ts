import type { SeededVoter } from './seed.ts';

/** Prepared requests, each visitor from an address of its own. */

let visitors = 0;

/** A network that nobody else has had, so that limits by network do not count one machine's load. */
function nextAddress(): string {
  visitors += 1;
  return `2001:db8:${((visitors >> 16) & 0xffff).toString(16)}:${(visitors & 0xffff).toString(16)}::1`;
}

export function getAs({ host, secret }: SeededVoter, path: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: beacon_session=${secret}\r\naccept: text/html,application/json\r\naccept-encoding: gzip\r\nx-forwarded-for: ${nextAddress()}\r\n\r\n`,
  );
}

/** A visitor without a session. */
export function getAnonymously({ host }: SeededVoter, path: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept: text/html,application/json\r\naccept-encoding: gzip\r\nx-forwarded-for: ${nextAddress()}\r\n\r\n`,
  );
}

export function signInAs({ host, typed }: SeededVoter, isRight: boolean): Buffer {
  const birthdate = isRight ? typed.birthdate : typed.birthdate.replace(/\d{4}$/, '1920');
  const body = JSON.stringify({ ...typed, birthdate, recaptcha: 'off' });
  return Buffer.from(
    `POST /api/voter/session HTTP/1.1\r\nhost: ${host}\r\norigin: http://${host}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nx-forwarded-for: ${nextAddress()}\r\n\r\n${body}`,
  );
}

/** A different one each time, at random. */
export function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)] as T;
}
