export { registerOverviewRoutes } from './office-routes.ts';
