export { createViewCounter, type ViewCounter } from './counter.ts';
export { registerViewRoutes } from './routes.ts';
