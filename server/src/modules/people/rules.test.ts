import { personNameMaximum } from '@ballot-beacon/contract/office/people';
import { describe, expect, test } from 'vitest';
import type { IdentityProvider } from '../../platform/identity-providers.ts';
import {
  challengeLifetimeMs,
  createSecretText,
  hashSecretText,
  idleTimeoutMs,
  invitationLifetimeMs,
  isProvenSince,
  officeCookieName,
  personName,
  proofEndsAt,
  provenAt,
  readClaims,
  rolesOfGroups,
  sessionMaximumMs,
  transactionCookieName,
} from './rules.ts';

const now = new Date('2026-10-05T15:00:00Z');
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);

test('a proof is one of the moment or later, give or take two seconds', () => {
  expect(isProvenSince(null, now)).toBe(false);
  expect([-2_001, -2_000, -1_999, 0, 1].map((ms) => isProvenSince(after(ms), now))).toEqual([
    ...[false, true, true, true, true],
  ]);
});

test('a proof lasts five minutes, and none is over long ago', () => {
  expect(proofEndsAt({ provenAt: now })).toEqual(after(300_000));
  expect(proofEndsAt({ provenAt: null }).getTime()).toBe(300_000);
});

test.each([
  [{ auth_time: 1_000, iat: 1_030 }, after(-30_000)],
  [{ auth_time: 1_030, iat: 1_030 }, now],
  // The provider's own clock says that the sign-in is to come.
  [{ auth_time: 1_040, iat: 1_030 }, now],
  [{ auth_time: '1000', iat: 1_030 }, null],
  [{ auth_time: 1_000 }, null],
  [{ iat: 1_030 }, null],
])('of a token with %j the sign-in was at %s', (claims, expected) => {
  expect(provenAt(claims, now)).toEqual(expected);
});

test('what is good for how long', () => {
  const minutes = [idleTimeoutMs, sessionMaximumMs, invitationLifetimeMs, challengeLifetimeMs];
  expect(minutes.map((ms) => ms / 60_000)).toEqual([30, 720, 1_440, 5]);
});

describe('the roles of groups', () => {
  const groups = [
    { group: 'clerks', roles: ['clerk'], accounts: ['adams'] },
    { group: 'chiefs', roles: ['admin', 'clerk'], accounts: ['lake', 'adams'] },
    { group: 'state', roles: ['importer'] },
  ];
  const of = (subdomain: string, ...own: string[]) =>
    rolesOfGroups({ groups } as unknown as IdentityProvider, subdomain, own);

  test('are those of the office alone, each once and in the table’s order', () => {
    expect(of('adams', 'clerks')).toEqual(['clerk']);
    expect(of('lake', 'clerks')).toEqual([]);
    expect(new Set(of('adams', 'clerks', 'chiefs'))).toEqual(new Set(['admin', 'clerk']));
    expect(of('adams', 'clerks', 'chiefs')).toHaveLength(2);
    expect(of('lake', 'chiefs', 'state')).toEqual(of('lake', 'state', 'chiefs'));
    expect(of('anywhere', 'state')).toEqual(['importer']);
  });

  test('are none of a group that is written in another way, or not at all', () => {
    expect(of('adams', 'Clerks', 'clerk', '')).toEqual([]);
    expect(of('adams')).toEqual([]);
  });
});

describe('what a provider says of a person', () => {
  test.each([
    [{ name: 'Ann Lee', preferred_username: 'alee' }, 'Ann Lee'],
    [{ name: '  ', preferred_username: 'alee' }, 'alee'],
    [{ name: 7, preferred_username: 'alee' }, 'alee'],
    [{ preferred_username: '' }, undefined],
    [{}, undefined],
  ])('%j is named %s', (claims, name) => {
    expect(readClaims(claims, 'groups').name).toBe(name);
  });

  test.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    ['a', ['a']],
    [['a', 7, null], ['a']],
    [[], []],
    [7, undefined],
    [undefined, undefined],
  ])('the groups %j are read as %j', (listed, groups) => {
    expect(readClaims({ teams: listed, groups: ['other'] }, 'teams').groups).toEqual(groups);
  });

  test('a name is of one line, without what nobody sees, and not too long', () => {
    expect(personName('  Ann\u0000 \u200b Lee\n\tJr. ')).toBe('Ann LeeJr.');
    expect(personName('Ann  Lee')).toBe('Ann Lee');
    expect(personName('x'.repeat(personNameMaximum))).toHaveLength(personNameMaximum);
    expect(personName('x'.repeat(personNameMaximum + 1))).toHaveLength(personNameMaximum);
  });
});

test('a secret is 256 bits, stored as its hash, in a cookie that no other host sets', () => {
  const [one, other] = [createSecretText(), createSecretText()];
  expect(one).toMatch(/^[\w-]{43}$/);
  expect(one).not.toBe(other);
  expect(hashSecretText(one)).toHaveLength(32);
  expect(hashSecretText(one)).not.toEqual(hashSecretText(other));
  expect([officeCookieName(true), officeCookieName(false)]).toEqual([
    ...['__Host-beacon_office', 'beacon_office'],
  ]);
  expect([transactionCookieName(true), transactionCookieName(false)]).toEqual([
    ...['__Host-beacon_office_sign_in', 'beacon_office_sign_in'],
  ]);
});
