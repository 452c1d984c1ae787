export { deliveryTypesOf } from './delivery-types.ts';
export { readOwn, registerPreferenceRoutes } from './routes.ts';
