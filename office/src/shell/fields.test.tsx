import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { InputField } from './input-field.tsx';

test.each<[string | undefined, string | undefined, string | undefined]>([
  [undefined, undefined, undefined],
  ['As your files write it.', undefined, 'number-help'],
  [undefined, 'Type a number.', 'number-error'],
  ['As your files write it.', 'Type a number.', 'number-help number-error'],
])('a field with the help %j and the error %j is described by: %s', (help, error, ids) => {
  const html = renderToStaticMarkup(
    <InputField
      {...{ id: 'number', label: 'Number', value: '7', error, ...(help && { help }) }}
      onChange={() => {}}
    />,
  );
  expect(/aria-describedby="([^"]*)"/.exec(html)?.[1]).toBe(ids);
  for (const id of ids?.split(' ') ?? []) expect(html).toContain(`id="${id}"`);
  expect(html.includes('aria-invalid="true"')).toBe(error !== undefined);
});
