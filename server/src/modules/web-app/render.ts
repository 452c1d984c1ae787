import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Bootstrap } from '@ballot-beacon/contract/bootstrap';

/** The result of rendering a URL with its data in the page's server bundle. */
export interface RenderedPage {
  /** The whole document; empty with a redirect. */
  readonly html: string;
  readonly title: string;
  readonly status: 200 | 302 | 404;
  readonly redirect?: string;
  /** For the style-src of the CSP: `'sha256-…'` of each inline style sheet. */
  readonly styleHashes: readonly string[];
  /** Parts of `html` that are in many visitors' pages, in their order. */
  readonly shared: readonly string[];
}

export interface RenderInput {
  readonly bootstrap: Bootstrap;
  /** Path and search. */
  readonly url: string;
  /** The entries of a form that was sent before its script had loaded. */
  readonly form?: Readonly<Record<string, string>>;
}

export type RenderPage = (input: RenderInput) => Promise<RenderedPage>;

/**
 * Loads the built page's renderer (web/dist/server/entry-server.js).
 *
 * @throws when the page has not been built.
 */
export async function loadRenderer(distDirectory: string): Promise<RenderPage> {
  const entry = path.join(distDirectory, 'server', 'entry-server.js');
  if (!existsSync(entry)) {
    throw new Error(`The page is not built: ${entry} is missing. Run: npm run build -w web`);
  }
  const bundle = (await import(pathToFileURL(entry).href)) as { render?: RenderPage };
  if (!bundle.render) throw new Error(`${entry} has no render().`);
  return bundle.render;
}
