export { registerOfficeLogRoutes } from './routes.ts';
