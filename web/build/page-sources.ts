import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const webDirectory = fileURLToPath(new URL('..', import.meta.url));

/** `render()` of `src/app/entry-server.tsx`. */
type Render<Input, Page> = (input: Input) => Promise<Page>;

/**
 * Serves the page from its sources, for development: Vite answers for modules and tells open pages of changes on the
 * same port; everything else is left to the server's own routes.
 *
 * @param server not listening yet.
 * @returns the render of the sources as they are at that moment.
 */
export async function openPageSources<
  Input,
  Page extends { readonly styleHashes: readonly string[] },
>(server: Server): Promise<Render<Input, Page>> {
  const vite = await createServer({
    root: webDirectory,
    // As Node reads it: Vite's own way writes a file, by which `node --watch` would start again without end.
    configLoader: 'native',
    appType: 'custom',
    logLevel: 'warn',
    server: { middlewareMode: true, hmr: { server } },
  });
  const routes = server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { url } = request;
    vite.middlewares(request, response, () => {
      request.url = url; // Vite has taken its base away
      for (const answer of routes) answer(request, response);
    });
  });
  server.once('close', () => void vite.close());
  return async (input) => {
    const { render } = (await vite.ssrLoadModule('/src/app/entry-server.tsx')) as {
      render: Render<Input, Page>;
    };
    const rendered = await render(input);
    // Vite puts style sheets into the page one by one.
    return { ...rendered, styleHashes: ["'unsafe-inline'"] };
  };
}
