import type { Branding } from '@ballot-beacon/contract/branding';

/** What `bg_url` says when the office has no picture of its own (product spec §3, Branding). */
const noBackground = '/img/white.gif';
const color = /^#[0-9a-f]{6}$/i;

/**
 * The account's colors and picture as CSS. The picture is dropped on screens up to 425 px wide
 * (product spec §2, Home). Nothing an office wrote can leave its value: colors must be `#rrggbb`, and an address
 * is encoded.
 */
export function themeOf({
  accent_color,
  bg_url,
}: Pick<Branding, 'accent_color' | 'bg_url'>): string {
  const rules: string[] = [];
  if (color.test(accent_color.light)) rules.push(`:root{--accent-light:${accent_color.light}}`);
  if (color.test(accent_color.dark)) rules.push(`:root{--accent-dark:${accent_color.dark}}`);
  if (bg_url && bg_url !== noBackground)
    rules.push(
      `@media (min-width:426px){:root{--hero-picture:url("${encodeAddress(bg_url)}");--hero-light:none}}`,
    );
  return rules.join('');
}

function encodeAddress(address: string): string {
  return address.replaceAll(
    /["'()\\<>\s]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
