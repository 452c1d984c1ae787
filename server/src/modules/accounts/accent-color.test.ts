import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../testing/runs.ts';
import {
  contrastRatio,
  correctAccentColor,
  defaultAccentColor,
  type HexColor,
  minimumContrast,
  surfaces,
  tintOf,
} from './accent-color.ts';

/** The page's colors. */
const tokens = '../../../../web/src/ui/styles/tokens.css';

const colors = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value): HexColor => `#${value.toString(16).padStart(6, '0')}`);

test('voters can read any color that an office chooses, in light and dark mode', () => {
  fc.assert(
    fc.property(colors, (color) => {
      const corrected = correctAccentColor(color);
      for (const theme of ['light', 'dark'] as const) {
        for (const ground of surfaces[theme]) {
          expect(contrastRatio(corrected[theme], ground)).toBeGreaterThanOrEqual(minimumContrast);
        }
      }
    }),
    { numRuns: runs(2000) },
  );
});

// Figures of WCAG's own formula (relative luminance), darkest parts of a color included.
test.each([
  ['#000000', 21],
  ['#0a0a0a', 19.8],
  ['#0b0b0b', 19.68],
  ['#00000a', 20.91],
  ['#767676', 4.54],
  ['#777777', 4.48],
  ['#0000ff', 8.59],
  ['#ff0000', 4],
  ['#00ff00', 1.37],
] as const)('%s on white has a contrast of %f', (color, contrast) => {
  expect(contrastRatio(color, '#ffffff')).toBeCloseTo(contrast, 2);
});

test('the grounds are those of the page', () => {
  const css = readFileSync(path.resolve(import.meta.dirname, tokens), 'utf8');
  const [light = '', dark = ''] = css.split('prefers-color-scheme: dark');
  for (const [theme, part] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    const grounds = ['ground', 'surface', 'surface-sunken'].map((name) => {
      const value = new RegExp(`--${name}: (#[0-9a-f]+);`).exec(part)?.[1] ?? '';
      return value.length === 4 ? value.replaceAll(/[0-9a-f]/g, '$&$&') : value;
    });
    expect([...surfaces[theme]].sort()).toEqual(grounds.sort());
  }
});

test('a color of an office can be read on the shade of itself, too', () => {
  // The demo's green, which was a little too light for the gray of the bar on top.
  for (const color of ['#2e7d4f', '#ffd400', '#ff7f00', '#00c2c7', '#e63fa0', '#8a2be2'] as const) {
    const { light, dark } = correctAccentColor(color);
    expect(contrastRatio(light, tintOf(light, 'light'))).toBeGreaterThanOrEqual(minimumContrast);
    expect(contrastRatio(dark, tintOf(dark, 'dark'))).toBeGreaterThanOrEqual(minimumContrast);
  }
});

test('a readable color stays as the office chose it', () => {
  expect(correctAccentColor(defaultAccentColor).light).toBe(defaultAccentColor);
  expect(correctAccentColor('#7FD1FF').dark).toBe('#7fd1ff');
});

test('a correction keeps the hue: yellow does not turn blue', () => {
  const { light } = correctAccentColor('#ffd400');
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(light.slice(at, at + 2), 16));
  expect(red).toBeGreaterThan(blue ?? 0);
  expect(green).toBeGreaterThan(blue ?? 0);
});

test('contrast is measured as WCAG defines it', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
