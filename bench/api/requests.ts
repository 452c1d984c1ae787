import type { PreparedRequest } from './load.ts';
import type { SeededVoter } from './seed.ts';

/** Prepared requests, each visitor from an address of its own. */

/** A voter, and the cookie of the browser that a voter has who was here before. */
export interface Visitor extends SeededVoter {
  readonly device?: string;
}

let visitors = 0;

/** A network that nobody else has had, down to its /48, so that limits by network do not count one machine's load. */
function nextAddress(): string {
  visitors += 1;
  return `fd00:${((visitors >> 16) & 0xffff).toString(16)}:${(visitors & 0xffff).toString(16)}::1`;
}

/** As a browser sends it, in about as many bytes. */
function headOf(start: string, host: string, more: readonly string[] = []): string {
  const lines = [
    ...[`${start} HTTP/1.1`, `host: ${host}`, 'accept: text/html,application/json'],
    ...['accept-encoding: gzip, deflate, br, zstd', `x-forwarded-for: ${nextAddress()}`],
  ];
  return `${[...lines, ...more].join('\r\n')}\r\n\r\n`;
}

function getAs({ host, secret, device }: Visitor, path: string): Buffer {
  const known = device === undefined ? '' : `; beacon_device=${device}`;
  return Buffer.from(headOf(`GET ${path}`, host, [`cookie: beacon_session=${secret}${known}`]));
}

/** A visitor without a session. */
function getAnonymously({ host }: Visitor, path: string): Buffer {
  return Buffer.from(headOf(`GET ${path}`, host));
}

function signInAs({ host, typed }: Visitor, isRight: boolean): Buffer {
  // A leap year, because some were born on February 29.
  const birthdate = isRight ? typed.birthdate : typed.birthdate.replace(/\d{4}$/, '1904');
  const body = JSON.stringify({ ...typed, birthdate, recaptcha: 'off' });
  const more = [`origin: http://${host}`, 'content-type: application/json'];
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return Buffer.from(headOf('POST /api/voter/session', host, [...more, length]) + body);
}

/** What a voter's visit asks for, by its name in the reports. */
export const asks = {
  information: (voter) => getAs(voter, '/api/voter/information/me'),
  progress: (voter) => getAs(voter, '/api/voter/ballot-status-progress/me'),
  dashboard: (voter) => getAs(voter, '/voter/dashboard'),
  'sign-in right': (voter) => signInAs(voter, true),
  'sign-in wrong': (voter) => signInAs(voter, false),
} as const satisfies Record<string, (voter: Visitor) => Buffer>;
export type Kind = keyof typeof asks;

/** The status of the answer where nothing is wrong. */
export const statusOf: Readonly<Record<Kind, number>> = {
  information: 200,
  progress: 200,
  dashboard: 200,
  'sign-in right': 201,
  'sign-in wrong': 401,
};

/** Any visitor's next request when an election is near: dashboards and their calls, the login page, people who sign in. */
export function drawRequest(voters: readonly Visitor[]): PreparedRequest {
  const voter = pick(voters);
  const draw = Math.random();
  if (draw < 0.35) return { kind: 'dashboard', bytes: asks.dashboard(voter) };
  if (draw < 0.7) return { kind: 'progress', bytes: asks.progress(voter) };
  if (draw < 0.85) return { kind: 'login page', bytes: getAnonymously(voter, '/voter') };
  return { kind: 'sign-in', bytes: asks['sign-in right'](voter) };
}

/** A different one each time, at random. */
export function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)] as T;
}
