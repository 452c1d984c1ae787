export { deliveryTypesOf } from './delivery-types.ts';
export { readOwn, registerPreferenceRoutes } from './routes.ts';
export { registerUnsubscribeRoutes } from './unsubscribe-routes.ts';
export { type SavedPreferences, toSavedPreferences } from './wide-shape.ts';
