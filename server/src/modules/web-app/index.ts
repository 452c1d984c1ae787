export { openBuiltPage } from './built-page.ts';
export { type PageSource, registerWebAppRoutes } from './routes.ts';
