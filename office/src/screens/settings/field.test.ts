import type { SettingField } from '@ballot-beacon/contract/office/settings';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SettingInput } from './field.tsx';

const show = (
  at: string,
  control: SettingField['control'],
  fallback: unknown,
  errors: readonly string[] = [],
) =>
  renderToStaticMarkup(
    createElement(SettingInput, {
      field: {
        ...{ at, control, fallback, options: [], columns: [], is_optional: false },
        value: fallback,
      },
      ...{ typed: '', isChanged: false, errors, onType: () => {} },
    }),
  );

test.each<[string, SettingField['control'], unknown, string | undefined]>([
  ['import_limits.refused_percent', 'number', 2, '2'],
  ['import_limits.refused_percent', 'number', 0, '0'],
  ['short_code', 'text', '41575', '41575'],
  ['short_code', 'text', '', undefined],
  ['short_code', 'text', null, undefined],
  // It shows by itself which of the two it is.
  ['reports_counted', 'switch', true, undefined],
])(
  'the field of %s as %s, which is %j where the office chooses nothing, says: %s',
  (at, control, fallback, usual) => {
    expect(/Usually: ([^<]*)</.exec(show(at, control, fallback))?.[1]).toBe(usual);
  },
);

test.each([
  [[], 'false'],
  [['must have five or six digits'], 'true'],
  [['must have five or six digits', 'must be set'], 'true'],
])(
  'a field with the problems %j says them, and to a screen reader that it is wrong: %s',
  (errors, isWrong) => {
    const html = show('short_code', 'text', '41575', errors);
    expect(/<input [^>]*aria-invalid="(\w+)"/.exec(html)?.[1]).toBe(isWrong);
    expect([...html.matchAll(/class="field-error">([^<]*)</g)].map(([, one]) => one)).toEqual(
      errors,
    );
  },
);
