import { expect, test } from 'vitest';
import { createSecrets } from '../../platform/secrets.ts';
import {
  type Details,
  deviceCookieName,
  deviceLifetimeSeconds,
  findDevice,
  rememberDevice,
} from './device.ts';

const secrets = createSecrets(['a secret of the tests, long enough to be one']);
const person = (number: number): Details => ({
  identity: `ANN${number}|RIVERA|34811`,
  birthdate: '1970-02-03',
});
const find = (cookie: string | undefined, details: Details) => findDevice(secrets, cookie, details);
const remember = (people: readonly Details[]): string =>
  people.reduce<string | undefined>(
    (cookie, one) => rememberDevice(secrets, cookie, one),
    undefined,
  ) ?? '';

test('a browser knows who signed in with it, and nobody else', () => {
  const cookie = remember([person(1)]);
  expect(find(cookie, person(1))).toMatchObject({ isSameDetails: true });
  expect(find(cookie, person(2))).toBeUndefined();
  expect(find(undefined, person(1))).toBeUndefined();
  expect(cookie).not.toMatch(/RIVERA|1970/);
});

test('the same name and ZIP code with another birth date is known by the same text, and as another', () => {
  const cookie = remember([person(1)]);
  const own = find(cookie, person(1));
  expect(find(cookie, { ...person(1), birthdate: '1970-02-04' })).toEqual({
    nonce: own?.nonce,
    isSameDetails: false,
  });
});

test('of two namesakes each is found by the birth date', () => {
  const [ann, other] = [person(1), { ...person(1), birthdate: '1999-09-09' }];
  const cookie = remember([ann, other]);
  const [first, second] = [find(cookie, ann), find(cookie, other)];
  expect([first?.isSameDetails, second?.isSameDetails]).toEqual([true, true]);
  expect(first?.nonce).not.toBe(second?.nonce);
});

test('six people are remembered, and the seventh takes the place of who was there longest ago', () => {
  const known = (cookie: string) =>
    [1, 2, 3, 4, 5, 6, 7].filter((number) => find(cookie, person(number)) !== undefined);
  const six = [1, 2, 3, 4, 5, 6].map(person);
  expect(known(remember(six))).toEqual([1, 2, 3, 4, 5, 6]);
  expect(known(remember([...six, person(7)]))).toEqual([2, 3, 4, 5, 6, 7]);
  expect(remember([...six, person(7)]).split('~')).toHaveLength(6);
  // Who comes again is the newest, with the same text.
  expect(known(remember([...six, person(1), person(7)]))).toEqual([1, 3, 4, 5, 6, 7]);
});

test('a voter who is known already gets no second entry', () => {
  const once = remember([person(1)]);
  expect(rememberDevice(secrets, once, person(1))).toBe(once);
  expect(remember([person(1), person(2), person(1)]).split('~')).toHaveLength(2);
});

test.each([
  ['nothing', ''],
  ['any text', 'hello'],
  ['a text without its signatures', 'AAAAAAAAAAAAAAAA'],
  [
    'signatures of another text',
    remember([person(1)]).replace(/^./, (one) => (one === 'A' ? 'B' : 'A')),
  ],
  ['more than an entry', `${remember([person(1)])}x`],
  ['more before an entry', `x${remember([person(1)])}`],
  ['less than an entry', remember([person(1)]).slice(0, -1)],
])('a cookie of %s knows nobody, and is replaced', (_, cookie) => {
  expect(find(cookie, person(1))).toBeUndefined();
  expect(find(rememberDevice(secrets, cookie, person(1)), person(1))).toMatchObject({
    isSameDetails: true,
  });
});

test('an entry that somebody wrote into a cookie beside six others is not read', () => {
  const six = remember([1, 2, 3, 4, 5, 6].map(person));
  expect(find(`${six}~${remember([person(7)])}`, person(7))).toBeUndefined();
});

test('another installation’s cookie knows nobody', () => {
  const other = createSecrets(['another secret of the tests, long enough too']);
  expect(find(rememberDevice(other, undefined, person(1)), person(1))).toBeUndefined();
});

test('over https the browser keeps other hosts from setting the cookie', () => {
  expect(deviceCookieName(true)).toBe('__Host-beacon_device');
  expect(deviceCookieName(false)).toBe('beacon_device');
});

test('a browser is known for the 400 days for which one keeps a cookie', () => {
  expect(deviceLifetimeSeconds).toBe(34_560_000);
});
