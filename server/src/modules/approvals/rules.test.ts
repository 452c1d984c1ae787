import { expect, test } from 'vitest';
import { isImporter } from './rules.ts';

const ann = { actor: 'person:passkey|1', name: 'Ann Clerk' };

test.each([
  ['the same person', ann, true],
  ['the same person by another name', { ...ann, name: 'Ann Lee' }, true],
  ['another person of that name', { actor: 'person:passkey|2', name: 'ann clerk' }, true],
  ['a typed name', { actor: 'operator:Ann Clerk', name: 'Ann  Clerk' }, true],
  ['another person', { actor: 'person:passkey|2', name: 'Bo Clerk' }, false],
  ['the same subject of another issuer', { actor: 'person:https://id|1', name: 'Bo' }, false],
])('%s counts as the importer: %s', (_, one, expected) => {
  expect(isImporter(ann, one)).toBe(expected);
  expect(isImporter(one, ann)).toBe(expected);
});
