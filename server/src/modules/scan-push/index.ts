export { drawCredential, pushPath } from './credential.ts';
export { registerPushRoutes } from './routes.ts';
