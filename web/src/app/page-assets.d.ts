/** Made by build/page-assets.ts out of the client build. */
declare module 'virtual:page-assets' {
  /** A style sheet of the build. */
  export interface PageSheet {
    /** Where it is, relative to the base. */
    readonly file: string;
    readonly text: string;
  }
  /** Source path of the browser entry. */
  export const entry: string;
  /** Per entry or lazily loaded source path: its script and those it imports, relative to the base. */
  export const scripts: Readonly<Record<string, readonly string[]>>;
  /** The same for style sheets. */
  export const sheets: Readonly<Record<string, readonly PageSheet[]>>;
}
