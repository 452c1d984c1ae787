import { describe, expect, it } from 'vitest';
import { themeOf } from './theme.ts';

const plain = { accent_color: { light: '#0f5e7c', dark: '#7cc7e6' }, bg_url: '/img/white.gif' };

describe('an account’s theme', () => {
  it('sets the two accents', () => {
    expect(themeOf(plain)).toBe(':root{--accent-light:#0f5e7c}:root{--accent-dark:#7cc7e6}');
  });

  it('shows the office’s picture from 426 pixels of width on only', () => {
    expect(themeOf({ ...plain, bg_url: '/voter/images/background' })).toContain(
      '@media (min-width:426px){:root{--hero-picture:url("/voter/images/background");--hero-light:none}}',
    );
  });

  it('writes a character of an address in two digits, also a low one', () => {
    const style = themeOf({ accent_color: { light: '', dark: '' }, bg_url: '/a\tb\nc' });
    expect(style).toContain('url("/a%09b%0ac")');
  });

  it('lets nothing an office wrote leave its place in the style sheet', () => {
    const hostile = themeOf({
      accent_color: { light: 'red}body{display:none', dark: '#12345' },
      bg_url: '/x")}</style><script>alert(1)</script>\\',
    });
    expect(hostile).toBe(
      '@media (min-width:426px){:root{--hero-picture:url("/x%22%29}%3c/style%3e%3cscript%3ealert%281%29%3c/script%3e%5c");--hero-light:none}}',
    );
  });
});
