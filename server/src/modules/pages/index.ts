export { openBuiltPage } from './built-page.ts';
export { type PageSource, registerPageRoutes } from './routes.ts';
