import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the product is tested on the Node that it brings along', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { dependencies: { node: string } };
  expect(process.versions.node).toBe(manifest.dependencies.node);
});
