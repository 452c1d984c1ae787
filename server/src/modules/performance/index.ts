/** How the site and an office's alerts are doing, counted for everybody to see. */
export { registerPerformanceRoutes } from './routes.ts';
