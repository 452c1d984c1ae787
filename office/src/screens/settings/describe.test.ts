import type { SettingField } from '@ballot-beacon/contract/office/settings';
import { expect, test } from 'vitest';
import { describeProblem, describeValue, problemsOf } from './describe.ts';

const field = (at: string, control: SettingField['control'] = 'text') =>
  ({ at, control }) as SettingField;
const at = (path: string) => ({ at: path, message: 'is wrong' });

test('a problem stands at its own setting, also where another’s name begins alike', () => {
  const problems = ['url', 'url_of_maps', 'url.0', 'name'].map(at);
  expect(problemsOf(field('url'), problems)).toEqual([at('url'), at('url.0')]);
  expect(problemsOf(field('url_of_maps'), problems)).toEqual([at('url_of_maps')]);
});

test('a problem inside a list names the row as people count', () => {
  const said = describeProblem(field('languages', 'list'), at('languages.0'));
  expect(said).toMatch(/1/);
  expect(said).not.toMatch(/0/);
  expect(describeProblem(undefined, at(''))).toMatch(/is wrong/);
});

test('a value is said in words', () => {
  expect(describeValue('languages', ['spanish', 'english'])).toBe('Spanish, English');
  expect(describeValue('name', null)).toBe(describeValue('languages', []));
  expect(describeValue('is_token_required', true)).not.toBe(
    describeValue('is_token_required', false),
  );
});
