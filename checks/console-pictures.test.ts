import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { listPictures, picturesFolder } from '../e2e/screens/pictures.ts';

/** In bytes: the page with all of them opens at once on a slow line. */
const mostBytes = 80_000;

const pictures = listPictures();

describe('the pictures of the clerks’ page', () => {
  test('are there, and none is there that the page does not name', () => {
    expect(pictures.length).toBeGreaterThan(5);
    expect(readdirSync(picturesFolder).toSorted()).toEqual(
      pictures.map(({ file }) => file).toSorted(),
    );
  });

  test.each(pictures)('$file is small, says what it shows, and can be taken anew', (picture) => {
    const file = path.join(picturesFolder, picture.file);
    expect(statSync(file).size).toBeLessThan(mostBytes);
    expect(readFileSync(file).subarray(8, 12).toString()).toBe('WEBP');
    expect(picture.alt.split(' ').length).toBeGreaterThan(3);
    const screens = path.resolve(import.meta.dirname, '../e2e/screens/console.screens.ts');
    const taken = readFileSync(screens, 'utf8').matchAll(/[sS]creen\(\s*'(?:console\/)?([^']+)'/g);
    expect(Array.from(taken, ([, name]) => name)).toContain(picture.screen);
  });
});
