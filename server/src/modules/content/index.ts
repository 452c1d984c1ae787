export { brandingOf, languageFileOf, registerOfficeRoutes } from './office-routes.ts';
