export { registerVoterRecordRoutes } from './office-routes.ts';
