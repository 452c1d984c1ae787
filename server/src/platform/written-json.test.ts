import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseWrittenJson } from './written-json.ts';

/** Few keys, so that a group has those of the group in it. */
const key = fc.constantFrom('a', 'b', '', '__proto__', 'a.b');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, 'a', '{"a":1,"a":2}'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

test('text without a mistake is what JSON says, however it is laid out', () => {
  fc.assert(
    fc.property(value, fc.constantFrom('', '  ', '\t'), fc.boolean(), (written, indent, marked) => {
      const text = JSON.stringify(written, null, indent);
      expect(parseWrittenJson((marked ? '\uFEFF' : '') + text)).toEqual(JSON.parse(text));
    }),
  );
});

test('a key that is there twice is named with its place and line, in whatever group it is', () => {
  fc.assert(
    fc.property(value, value, fc.constantFrom('\n', '\r\n'), (first, second, lineEnd) => {
      const twice = ['{', '"a":', JSON.stringify(first), ',"a":', JSON.stringify(second), '}'];
      const text = ['{"list": [{"a": 1}, ', ...twice, ', {"a": 2}]}'].join(lineEnd);
      expect(() => parseWrittenJson(text)).toThrow(
        'has "list.1.a" twice, the second time on line 5. Keep one of them',
      );
    }),
  );
});

test.each([
  ['nothing', '', 1],
  ['an end that is missing', '{\n"a": 1\n\n', 2],
  ['a word without quotation marks', '{\n"a": yes,\n"b": 1\n}', 2],
  ['curly quotation marks', '{\n“a”: 1,\n"b": 1\n}', 2],
  ['two values', '{"a": 1}\n{"a": 2}', 2],
  ['the second of two mistakes', '{\n"a" 1,\n"b" 2\n}', 2],
])('the line of %s', (_mistake, text, line) => {
  expect(() => parseWrittenJson(text)).toThrow(`is not valid JSON: line ${line}.`);
});

test('groups nested too deeply are a mistake, and no fault', () => {
  const depth = 200_000;
  expect(() => parseWrittenJson('['.repeat(depth) + ']'.repeat(depth))).toThrow(
    new SyntaxError('is not valid: its groups are nested too deeply'),
  );
});
