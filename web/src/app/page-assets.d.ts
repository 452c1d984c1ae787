/** Made by build/page-assets.ts out of the client build. */
declare module 'virtual:page-assets' {
  /** The whole style sheet. */
  export const styles: string;
  /** Source path of the browser entry. */
  export const entry: string;
  /** Per entry or lazily loaded source path: its script and those it imports, relative to the base. */
  export const scripts: Readonly<Record<string, readonly string[]>>;
}
