interface Colors {
  /** Of the top of every page, and of what a browser draws above it. */
  readonly top: string;
  readonly ground: string;
}

/** The colors that a browser needs before the style sheet: `--surface-sunken` and `--ground` of `tokens.css`. */
export const pageColors: Readonly<Record<'light' | 'dark', Colors>> = {
  light: { top: '#eef1f4', ground: '#f4f6f8' },
  dark: { top: '#0f1820', ground: '#0b1219' },
};
