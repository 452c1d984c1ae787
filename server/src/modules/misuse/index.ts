export { registerMisuseRoutes } from './office-routes.ts';
