export { correct } from './approve.ts';
export { registerApprovalRoutes } from './office-routes.ts';
