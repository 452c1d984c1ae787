export { registerAppearanceRoutes } from './appearance-routes.ts';
export { registerDeadlineRoutes } from './deadline-routes.ts';
export { registerElectionRoutes } from './election-routes.ts';
export { registerOfficeFlagRoutes } from './flag-routes.ts';
export { registerImageRoutes } from './image-routes.ts';
export { registerOfficeSettingsRoutes } from './settings-routes.ts';
