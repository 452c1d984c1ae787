export { createOpenApiDocument } from './openapi.ts';
export { registerApiDocsRoutes } from './routes.ts';
