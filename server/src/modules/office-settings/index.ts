export { registerElectionRoutes } from './election-routes.ts';
export { registerOfficeSettingsRoutes } from './settings-routes.ts';
