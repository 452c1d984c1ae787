import { expect, test } from 'vitest';
import { findBrokenParts } from './rules.ts';

const english = 'Call <b>the <i>office</i></b> now';

test.each([
  ['Звоните <b>в <i>офис</i></b>', undefined],
  ['Звоните <b>в <i>офис</b></i>', '</b> closes a tag that is not open'],
  ['Звоните <i>в <b>офис</b></i>', undefined],
  ['Звоните </i>в </b>офис<b><i>', '</i> closes a tag that is not open'],
])('tags close in the order in which they opened: %s', (text, problem) => {
  const found = [...findBrokenParts('russian', 'login.help.html', english, text)];
  expect(found).toEqual(problem === undefined ? [] : [['tags-differ', problem]]);
});
