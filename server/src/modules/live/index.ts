export { registerLiveRoutes } from './routes.ts';
