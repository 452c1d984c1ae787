import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../testing/runs.ts';
import { allStopWords, readKeyword } from './keywords.ts';

describe('what a voter texts back', () => {
  test('every stop word of every offered language stops, however it is written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...allStopWords),
        fc.constantFrom('', '!', '.', ' ', '…'),
        fc.boolean(),
        (word, ending, upper) => {
          expect(readKeyword(`${upper ? word.toUpperCase() : word}${ending}`)).toBe('stop');
        },
      ),
      { numRuns: runs(500) },
    );
    expect(allStopWords.length).toBeGreaterThan(80);
  });

  test.each([
    'STOP',
    'Stop.',
    ' stop ',
    'please stop',
    'STOP texting me',
    'Opt out',
    'opt-out',
    'OPTOUT',
    'Unsubscribe me please',
    'stop, yes stop',
    'don’t stop',
    'Cancel',
    'QUIT',
    'END',
    'REVOKE',
    'Alto por favor',
    '停止',
    'STOPALL',
    'ＳＴＯＰ',
    'ｓｔｏｐ！',
    'I want you to stop now',
    'end this now',
  ])('“%s” stops', (text) => expect(readKeyword(text)).toBe('stop'));

  test.each([
    ['YES', 'yes'],
    ['yes!', 'yes'],
    ['Y', 'yes'],
    ['Sí', 'yes'],
    ['SI', 'yes'],
    ['yes please', 'yes'],
    ['はい', 'yes'],
    ['HELP', 'help'],
    ['Ayuda', 'help'],
    ['info', 'help'],
    ['START', 'start'],
    ['unstop', 'start'],
    ['comenzar', 'start'],
  ])('“%s” is heard as %s', (text, keyword) => expect(readKeyword(text)).toBe(keyword));

  test.each([
    '',
    '??',
    'Where is my ballot',
    'I moved to 12 End Road last year',
    'yesterday it came',
    'ok who is',
    'yes or no',
    'no',
    'I want you to not stop now',
    'end this now please',
  ])('“%s” agrees to nothing and stops nothing', (text) => expect(readKeyword(text)).toBe('other'));

  test('no text that contains a bare STOP ever counts as consent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('yes', 'start', 'ok', 'si'), { maxLength: 5 }),
        fc.nat(5),
        (words, at) => {
          const text = [...words.slice(0, at), 'STOP', ...words.slice(at)].join(' ');
          expect(readKeyword(text)).toBe('stop');
        },
      ),
    );
  });
});
