import type { UseQueryResult } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { Loaded } from './loaded.tsx';
import { showScreen } from './show-screen.tsx';

const read = async (query: { data?: string; error?: Error }) => {
  const asked = { data: undefined, error: null, ...query } as UseQueryResult<string>;
  return (await showScreen(<Loaded query={asked}>{(data) => <p>{data}</p>}</Loaded>)).words;
};
const error = new Error('The server does not answer.');

test('what was loaded stays in sight, with why it could not be loaded anew', async () => {
  expect(await read({ data: 'Ines Marlowe' })).toBe('Ines Marlowe');
  expect(await read({ data: 'Ines Marlowe', error })).toBe(`${error.message} Ines Marlowe`);
});

test('what could not be loaded says why, and can be tried again', async () => {
  expect(await read({ error })).toMatch(/The server does not answer\. Try again$/);
  expect(await read({})).not.toContain('Try again');
});
