export { readAssets } from './assets.ts';
export { loadRenderer } from './render.ts';
export { registerPageRoutes } from './routes.ts';
