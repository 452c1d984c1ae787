import type { ListedElection } from '@ballot-beacon/contract/office/elections';
import { expect, test } from 'vitest';
import { changeTo, nothingTyped, toElection, toTyped } from './typed.ts';

const election = {
  ...{ number: '100', name: 'General Election', election_date: '2026-11-03', is_active: true },
  return_deadline: { rule: 'received', date: '2026-11-03', time: '19:00', place: 'Any drop box' },
  ...{ kind: 'general', certified_on: '2026-11-17', canvassed_on: null },
} as ListedElection;

test('what was saved is typed again as it was, and nothing of it changes by itself', () => {
  const known = toElection(toTyped(election));
  expect(known).toEqual(election);
  expect(changeTo(known, toElection(toTyped(election)))).toEqual({});
  const wholeDay = { ...election, return_deadline: { ...known.return_deadline, time: null } };
  expect(toElection(toTyped(wholeDay as ListedElection))).toEqual(wholeDay);
});

test('only what was changed is sent, and a deadline whole', () => {
  const before = toElection(toTyped(election));
  const typed = { ...toTyped(election), time: '', canvassedOn: '2026-11-20' };
  expect(changeTo(before, toElection(typed))).toEqual({
    return_deadline: { rule: 'received', date: '2026-11-03', time: null, place: 'Any drop box' },
    canvassed_on: '2026-11-20',
  });
});

test('what is left empty is null, and a deadline without its day is the server’s to refuse', () => {
  const typed = { ...nothingTyped, number: '7', name: 'Runoff', date: '2026-12-08' };
  expect(toElection(typed)).toEqual({
    ...{ number: '7', name: 'Runoff', election_date: '2026-12-08', is_active: false },
    ...{ return_deadline: null, kind: null, certified_on: null, canvassed_on: null },
  });
  expect(toElection({ ...typed, rule: 'postmarked' }).return_deadline).toEqual({
    ...{ rule: 'postmarked', date: '', time: null, place: '' },
  });
});
