import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Scroll } from './scroll.tsx';

test('a box that does not scroll is no stop of the keyboard, and has a name all the same', () => {
  const html = renderToStaticMarkup(<Scroll label="Counts">7</Scroll>);
  expect(html).toBe('<div role="group" class="scroll" aria-label="Counts">7</div>');
});
