import path from 'node:path';
import { readAssets } from './assets.ts';
import { loadRenderer } from './render.ts';
import type { Page } from './routes.ts';

/**
 * The page as voters get it.
 *
 * @param directory web/dist
 * @throws when the page has not been built.
 */
export async function openBuiltPage(directory: string): Promise<Page> {
  return {
    assets: readAssets(path.join(directory, 'client')),
    render: await loadRenderer(directory),
  };
}
