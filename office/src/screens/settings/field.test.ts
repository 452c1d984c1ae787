import type { SettingField } from '@ballot-beacon/contract/office/settings';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SettingInput } from './field.tsx';

const show = (at: string, control: SettingField['control'], fallback: unknown) =>
  renderToStaticMarkup(
    createElement(SettingInput, {
      field: {
        ...{ at, control, fallback, options: [], columns: [], is_optional: false },
        value: fallback,
      },
      ...{ typed: '', isChanged: false, errors: [], onType: () => {} },
    }),
  );

test.each<[string, SettingField['control'], unknown, string | undefined]>([
  ['import_limits.refused_percent', 'number', 2, '2'],
  ['import_limits.refused_percent', 'number', 0, '0'],
  ['short_code', 'text', '41575', '41575'],
  ['short_code', 'text', '', undefined],
  ['short_code', 'text', null, undefined],
])(
  'the field of %s as %s, which is %j where the office chooses nothing, says: %s',
  (at, control, fallback, usual) => {
    expect(/Usually: ([^<]*)</.exec(show(at, control, fallback))?.[1]).toBe(usual);
  },
);
