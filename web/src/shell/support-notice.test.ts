import { expect, test } from 'vitest';
import { formatPhone } from './support-notice.tsx';

test.each([
  ['+13525550100', '(352) 555-0100'],
  ['1 352 555 0100', '(352) 555-0100'],
  ['352.555.0100', '(352) 555-0100'],
  ['+442079460958', '+442079460958'],
  ['555-0100', '555-0100'],
  ['', ''],
])('the number %j is shown as %j', (phone, shown) => {
  expect(formatPhone(phone)).toBe(shown);
});
