export { registerElectionRoutes } from './election-routes.ts';
export { registerOfficeFlagRoutes } from './flag-routes.ts';
export { registerOfficeSettingsRoutes } from './settings-routes.ts';
