import { expect, test } from 'vitest';
import { readImage } from './images.ts';

async function sanitized(source: string): Promise<string> {
  const image = await readImage('logo', Buffer.from(source));
  if (typeof image === 'string') throw new Error(image);
  return image.bytes.toString();
}

const good =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs><path d="M0 0h10v10z" fill="url(#g)"></path></svg>';

test('an ordinary drawing keeps everything it draws', async () => {
  const drawing = await sanitized(`<?xml version="1.0"?>\n<!-- logo -->${good}`);
  for (const part of ['viewBox="0 0 10 10"', 'linearGradient', 'd="M0 0h10v10z"', 'url(#g)']) {
    expect(drawing).toContain(part);
  }
});

test.each([
  ['a script', '<script>alert(1)</script>', 'alert'],
  ['a handler', '<rect onload="alert(1)"/>', 'onload'],
  ['another site’s image', '<image href="https://evil.test/x.png"/>', 'evil'],
  ['a script behind a link', '<a href="javascript:alert(1)"><rect/></a>', 'javascript'],
  ['an outside reference', '<use href="https://evil.test/x.svg#a"/>', 'evil'],
  ['an outside paint', '<rect fill="url(https://evil.test/x)"/>', 'evil'],
  ['an HTML document', '<foreignObject><body onload="x()">hi</body></foreignObject>', 'onload'],
  ['a style sheet', '<style>@import "https://evil.test"</style>', 'evil'],
  [
    'an animation that sets a link',
    '<set attributeName="href" to="javascript:x()"/>',
    'javascript',
  ],
])('a logo cannot carry %s', async (_what, inside, forbidden) => {
  expect(await sanitized(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`)).not.toContain(
    forbidden,
  );
});

test('the bytes of an image decide its type, and too large an image is refused', async () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(8)]);
  expect(await readImage('logo', png)).toMatchObject({ contentType: 'image/png' });
  expect(await readImage('logo', Buffer.from('<html></html>'))).toBe(
    'is not a PNG, JPEG, WebP or SVG image',
  );
  expect(await readImage('logo', Buffer.concat([png, Buffer.alloc(300_000)]))).toMatch(
    /at most 256 kB/,
  );
});
