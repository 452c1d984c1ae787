export { drawCredential, pushPath, renewCredential } from './credential.ts';
export { registerScanPushRoutes } from './office-routes.ts';
export { registerPushRoutes } from './routes.ts';
