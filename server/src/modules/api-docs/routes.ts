import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { problem } from '../../platform/problem.ts';
import { createOpenApiDocument } from './openapi.ts';

const require = createRequire(import.meta.url);
const assets = {
  'swagger-ui.css': {
    contentType: 'text/css; charset=utf-8',
    file: require.resolve('swagger-ui-dist/swagger-ui.css'),
  },
  'swagger-ui-bundle.js': {
    contentType: 'text/javascript; charset=utf-8',
    file: require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  },
} as const;
type AssetName = keyof typeof assets;

const page = `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ballot Beacon voter API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="reader"></div>
<noscript>The description itself is <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;

const startScript = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reader',
  presets: [SwaggerUIBundle.presets.apis],
  deepLinking: true,
  validatorUrl: null,
});
`;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The API's description at /api/openapi.json, and a self-hosted viewer for it at /api/docs. */
export function registerApiDocsRoutes(app: FastifyInstance, version: string): void {
  let document: string | undefined;
  const cache = new Map<AssetName, Buffer>();
  const readAsset = (name: AssetName): Buffer => {
    const known = cache.get(name);
    if (known) return known;
    const read = gzipSync(readFileSync(assets[name].file));
    cache.set(name, read);
    return read;
  };

  app.get('/api/openapi.json', async (_request, reply) => {
    // Not at every start, since few processes are ever asked for it.
    document ??= JSON.stringify(createOpenApiDocument(version));
    return reply
      .header('cache-control', 'public, max-age=300')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .type('application/json; charset=utf-8')
      .send(document);
  });
  for (const url of ['/api/docs', '/api/docs/']) {
    app.get(url, async (_request, reply) =>
      reply
        .header('content-security-policy', policy)
        .header('cache-control', 'public, max-age=300')
        .type('text/html; charset=utf-8')
        .send(page),
    );
  }
  app.get('/api/docs/start.js', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .type('text/javascript; charset=utf-8')
      .send(startScript),
  );
  app.get<{ Params: { name: string } }>('/api/docs/:name', async (request, reply) => {
    const { name } = request.params;
    if (!isAssetName(name)) throw problem(404, 'There is nothing here.');
    return reply
      .header('cache-control', 'public, max-age=86400')
      .header('content-encoding', 'gzip')
      .type(assets[name].contentType)
      .send(readAsset(name));
  });
}

function isAssetName(name: string): name is AssetName {
  return Object.hasOwn(assets, name);
}
