export { registerOfficeSettingsRoutes } from './settings-routes.ts';
