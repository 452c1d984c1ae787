import { expect, test } from 'vitest';
import { Credentials, parseBirthdate } from './session.ts';

test.each([
  ['as the hint shows it', '02-03-1970'],
  ['with slashes', '2/3/1970'],
  ['with backslashes', '02\\03\\1970'],
  ['with dots', '02.03.1970'],
  ['with spaces', '02 03 1970'],
  ['with the dash that a word processor makes of a hyphen', '02–03–1970'],
  ['with spaces around', ' 02-03-1970\n'],
  ['of bare digits, where a phone has no hyphen to offer', '02031970'],
  ['as a browser fills it in', '1970-02-03'],
  ['in the digits of an Arabic keyboard', '٠٢-٠٣-١٩٧٠'],
  ['in the digits of a Bengali keyboard', '০২/০৩/১৯৭০'],
  ['in the digits of a Persian keyboard', '۰۲-۰۳-۱۹۷۰'],
  ['in the digits of a Hindi keyboard', '०२-०३-१९७०'],
  ['in the digits of a Thai keyboard', '๐๒-๐๓-๑๙๗๐'],
  ['in the digits of a Khmer keyboard', '០២-០៣-១៩៧០'],
  ['in the wide digits of a Japanese keyboard', '０２－０３－１９７０'],
])('a birth date may be typed %s', (_how, typed) => {
  expect(parseBirthdate(typed)).toBe('1970-02-03');
});

test.each([
  '',
  '02-30-1970',
  '13-01-1970',
  '02-03-70',
  '2031970',
  '02-03-1970-1',
  '01-01-2999',
  'February 3, 1970',
])('"%s" is no birth date', (typed) => {
  expect(parseBirthdate(typed)).toBeNull();
});

test.each([
  ['12-31-1899', null],
  ['01-01-1900', '1900-01-01'],
  ['11-26-2026', '2026-11-26'],
  ['11-27-2026', null],
])('a birth date is from 1900 to today: %s', (typed, date) => {
  expect(parseBirthdate(typed, '2026-11-26')).toBe(date);
});

test('a ZIP code in the digits of another keyboard is the same ZIP code', () => {
  const typed = { lastname: 'Rivera', birthdate: '02-03-1970', recaptcha: 'on' };
  for (const zipcode of ['34811', '٣٤٨١١', '３４８１１', ' 34811 '])
    expect(Credentials.parse({ ...typed, zipcode }).zipcode).toBe('34811');
  expect(Credentials.safeParse({ ...typed, zipcode: '34811-0001' }).success).toBe(false);
});

test.each([
  ['firstname', 60],
  ['lastname', 60],
  ['provided_voter_id', 40],
  ['token', 100],
])('%s has at most %i characters', (name, most) => {
  const typed = { lastname: 'Rivera', zipcode: '34811', birthdate: '02-03-1970', recaptcha: 'on' };
  const isTaken = (length: number) =>
    Credentials.safeParse({ ...typed, [name]: 'a'.repeat(length) }).success;
  expect([most - 1, most, most + 1].map(isTaken)).toEqual([true, true, false]);
});
