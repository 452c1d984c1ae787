import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { ensurePageIsBuilt } from '../../platform/page-build.ts';

const dist = fileURLToPath(new URL('../../../../web/dist', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'beacon-logos-'));
let api: TestApi;
beforeAll(async () => {
  await ensurePageIsBuilt();
  api = await createTestApi({ pageDirectory: dist });
  await addOffice(api.test, { subdomain: 'adams', name: 'Adams Elections', county: 'Adams' });
}, 180_000);
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

async function read(host: string) {
  const answer = await api.browser(host).get('/voter/manifest.webmanifest');
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toContain('application/manifest+json');
  return answer.json();
}

test('an office’s page can be put among a phone’s apps, under its own name and colors', async () => {
  const manifest = await read('adams.localhost');
  expect(manifest).toMatchObject({
    id: '/voter',
    name: 'Adams Elections',
    short_name: 'Adams',
    start_url: '/voter',
    scope: '/voter',
    display: 'standalone',
    theme_color: '#eef1f4',
  });
  for (const icon of manifest.icons) {
    const { headers, rawPayload } = await api.browser('adams.localhost').get(icon.src);
    expect(headers['content-type']).toBe(icon.type);
    const pixels = `${rawPayload.readUInt32BE(16)}x${rawPayload.readUInt32BE(20)}`;
    expect(pixels).toBe(icon.sizes);
  }
  expect(manifest.icons).toHaveLength(3);
});

test('without an office it has the product’s name', async () => {
  expect(await read('localhost')).toMatchObject({
    name: 'Ballot Beacon',
    short_name: 'Ballot Beacon',
  });
});

const drawing = (box: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}"/>`;
const picture = (width: number, height: number) => {
  const bytes = Buffer.alloc(64);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};

test.each([
  ['square drawing', 'logo.svg', drawing('0 0 64 64'), 'any'],
  ['wide drawing', 'logo.svg', drawing('0 0 240 64'), undefined],
  ['square picture', 'logo.png', picture(256, 256), '256x256'],
  ['picture that is just large enough', 'logo.png', picture(192, 192), '192x192'],
  ['picture that is too small', 'logo.png', picture(191, 191), undefined],
  ['wide picture', 'logo.png', picture(512, 192), undefined],
])(
  'a logo that is a %s becomes the icon only if it can be one',
  async (_name, file, bytes, sizes) => {
    const subdomain = `logo-${Math.random().toString(36).slice(2)}`;
    await addOffice(api.test, { subdomain, logo: writeImage(file, bytes) });
    const { icons } = await read(`${subdomain}.localhost`);
    expect(icons.map((icon: { sizes: string }) => icon.sizes)).toEqual(
      sizes ? [sizes] : ['192x192', '512x512', '512x512'],
    );
    if (!sizes) return;
    const { statusCode } = await api.browser(`${subdomain}.localhost`).get(icons[0].src);
    expect(statusCode).toBe(200);
  },
);

function writeImage(name: string, bytes: string | Buffer): string {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}
