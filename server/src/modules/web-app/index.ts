export { openBuiltPage } from './built-page.ts';
export { type BuiltConsole, openBuiltConsole, registerConsoleRoutes } from './console-routes.ts';
export { type PageSource, registerWebAppRoutes } from './routes.ts';
