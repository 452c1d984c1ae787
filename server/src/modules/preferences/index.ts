export { registerContactProofRoutes } from './contact-proof-routes.ts';
export { deliveryTypesOf } from './delivery-types.ts';
export { readOwn } from './own.ts';
export { registerPreferenceRoutes } from './routes.ts';
export { registerUnsubscribeRoutes } from './unsubscribe-routes.ts';
export { type SavedPreferences, toSavedPreferences } from './wide-shape.ts';
