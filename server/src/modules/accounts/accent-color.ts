/** `#rrggbb`, lower case. */
export type HexColor = `#${string}`;

/** The product's own blue, for an account that sets no color. */
export const defaultAccentColor: HexColor = '#1f5fa8';

/** The page's surfaces (web/src/ui/styles/tokens.css) on which an accent appears as text. */
export const surfaces = {
  light: ['#ffffff', '#f4f6f8', '#eef1f4'],
  dark: ['#131d27', '#0b1219', '#0f1820'],
} as const;

/** WCAG 2.2 §1.4.3: text against its background. */
export const minimumContrast = 4.5;

/**
 * Makes an office's color readable: darker until it contrasts with the light surfaces and its own tint, or lighter
 * until it contrasts with the dark ones. Hue stays, and so does chroma as far as the gamut allows. A color that already
 * passes does not change.
 */
export function correctAccentColor(color: HexColor): { light: HexColor; dark: HexColor } {
  return {
    light: shiftUntilReadable(color, 'light'),
    dark: shiftUntilReadable(color, 'dark'),
  };
}

/** The page's shade of an accent (`--accent-tint`), on which the accent appears too. */
export function tintOf(color: HexColor, theme: 'light' | 'dark'): HexColor {
  const [share, ground] =
    theme === 'light' ? [0.09, '#ffffff' as const] : [0.14, '#101a23' as const];
  const [[l, c, h], [groundL, groundC, groundH]] = [toOklch(color), toOklch(ground)];
  const mix = (one: number, other: number) => share * one + (1 - share) * other;
  const a = mix(c * Math.cos(h), groundC * Math.cos(groundH));
  const b = mix(c * Math.sin(h), groundC * Math.sin(groundH));
  return fromOklch(mix(l, groundL), Math.hypot(a, b), Math.atan2(b, a));
}

/** WCAG contrast ratio, 1 to 21. */
export function contrastRatio(one: HexColor, other: HexColor): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05);
}

function shiftUntilReadable(color: HexColor, theme: 'light' | 'dark'): HexColor {
  const direction = theme === 'light' ? -1 : 1;
  const [lightness, chroma, hue] = toOklch(color);
  for (let shift = 0; shift <= 1; shift += 0.01) {
    const candidate =
      shift === 0
        ? (color.toLowerCase() as HexColor)
        : fromOklch(clamp(lightness + direction * shift), chroma, hue);
    const grounds = [...surfaces[theme], tintOf(candidate, theme)];
    if (grounds.every((ground) => contrastRatio(candidate, ground) >= minimumContrast)) {
      return candidate;
    }
  }
  return direction < 0 ? '#000000' : '#ffffff';
}

function luminance(color: HexColor): number {
  const [red, green, blue] = toLinear(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function toLinear(color: HexColor): [number, number, number] {
  const part = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

// OKLCH, in which equal steps of lightness look equal: https://bottosson.github.io/posts/oklab/
function toOklch(color: HexColor): [lightness: number, chroma: number, hue: number] {
  const [red, green, blue] = toLinear(color);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    Math.hypot(a, b),
    Math.atan2(b, a),
  ];
}

/** The color of this lightness and hue, with as much chroma as sRGB can show, up to `chroma`. */
function fromOklch(lightness: number, chroma: number, hue: number): HexColor {
  for (let tried = chroma; tried > 0; tried -= 0.004) {
    const linear = toLinearRgb(lightness, tried, hue);
    if (linear.every((part) => part >= -0.0005 && part <= 1.0005)) return toHex(linear);
  }
  return toHex(toLinearRgb(lightness, 0, hue));
}

function toLinearRgb(lightness: number, chroma: number, hue: number): number[] {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function toHex(linear: readonly number[]): HexColor {
  const parts = linear.map((part) => {
    const value = clamp(part);
    const encoded = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`;
}
