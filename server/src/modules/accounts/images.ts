import { type ImageKind, mostImageBytes as limits } from '@ballot-beacon/contract/office/images';
import type sanitizeHtml from 'sanitize-html';

export interface AccountImage {
  readonly kind: ImageKind;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/**
 * Determines the type of an office's image file from its bytes. An SVG is rewritten from an allow-list, so that nothing
 * in it can run or load anything.
 *
 * @returns the image, or a sentence that says why it cannot be used.
 */
export async function readImage(kind: ImageKind, bytes: Buffer): Promise<AccountImage | string> {
  if (bytes.length > limits[kind]) {
    return `is ${Math.ceil(bytes.length / 1024)} kB; a ${kind} can have at most ${limits[kind] / 1024} kB`;
  }
  const contentType = recognize(bytes);
  if (!contentType) return 'is not a PNG, JPEG, WebP or SVG image';
  if (contentType !== 'image/svg+xml') return { kind, contentType, bytes };
  const drawing = await sanitizeSvg(bytes.toString('utf8'));
  if (!/^<svg[\s>]/.test(drawing)) return 'is not an SVG drawing';
  return { kind, contentType, bytes: Buffer.from(drawing) };
}

function recognize(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png';
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'image/jpeg';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') {
    return 'image/webp';
  }
  const start = bytes.toString('utf8', 0, 1024).replace(/^\uFEFF/, '');
  if (/^\s*(<\?xml|<!--|<!DOCTYPE svg|<svg)/i.test(start)) return 'image/svg+xml';
  return undefined;
}

const shapes = [
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'text',
  'tspan',
];
const structure = ['svg', 'g', 'defs', 'title', 'desc', 'symbol', 'use', 'clipPath', 'mask'];
const paints = ['linearGradient', 'radialGradient', 'stop', 'pattern'];
const geometry =
  'x y width height cx cy r rx ry x1 y1 x2 y2 fx fy d points transform viewBox preserveAspectRatio version xmlns';
const painting =
  'fill fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray ' +
  'stroke-dashoffset stroke-opacity opacity color clip-path clip-rule mask display visibility';
const gradients =
  'offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits patternUnits patternTransform';
const lettering =
  'font-family font-size font-weight font-style letter-spacing text-anchor dominant-baseline dx dy';

/** Drops scripts, handlers, styles, embedded documents and every reference that leaves the drawing. */
async function sanitizeSvg(source: string): Promise<string> {
  // Only account files need it, and every command would load it.
  const { default: sanitize } = await import('sanitize-html');
  return sanitize(source.replace(/^\uFEFF/, ''), {
    allowedTags: [...structure, ...shapes, ...paints],
    allowedAttributes: {
      '*': [
        geometry,
        painting,
        gradients,
        lettering,
        'id role aria-label href xlink:href xmlns:xlink',
      ]
        .join(' ')
        .split(' '),
    },
    allowedSchemes: [],
    allowedSchemesAppliedToAttributes: [],
    nonTextTags: ['script', 'style', 'foreignObject', 'textarea', 'option'],
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
    transformTags: { '*': (tagName, attribs) => ({ tagName, attribs: keepInside(attribs) }) },
  }).trim();
}

function keepInside(attributes: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const namespaces = new Set(['xmlns', 'xmlns:xlink']);
  return Object.fromEntries(
    Object.entries(attributes).filter(([name, value]) => {
      if (namespaces.has(name)) return /^http:\/\/www\.w3\.org\/[\w/]+$/.test(value);
      if (name.endsWith('href')) return /^#[\w.-]+$/.test(value);
      if (/url\(/i.test(value)) return /^url\(\s*['"]?#[\w.-]+['"]?\s*\)$/i.test(value);
      return true;
    }),
  );
}
