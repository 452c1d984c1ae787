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
} from './accent-color.ts';

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
