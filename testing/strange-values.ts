import fc from 'fast-check';

/** What nobody types, and programs send. */
export const strangeTexts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ maxLength: 80 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '‮',
    "'",
    '"; --',
    '../..',
    '<script>',
    '%00',
    '__proto__',
    'constructor',
    'null',
    '1e999',
    '-1',
    '9'.repeat(40),
    'x'.repeat(5000),
  ),
);
export const strangeValues = fc.oneof(
  strangeTexts,
  fc.jsonValue({ maxDepth: 3 }),
  fc.boolean(),
  fc.integer(),
  fc.double(),
);
