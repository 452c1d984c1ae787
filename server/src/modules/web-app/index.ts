export { openBuiltPage } from './built-page.ts';
export { type BuiltConsole, openBuiltConsole, registerConsoleRoutes } from './console-routes.ts';
export { renderDashboard, renderPreview } from './preview.ts';
export type { RenderPage } from './render.ts';
export { type PageSource, registerWebAppRoutes } from './routes.ts';
