export { refuseUnsafeStart } from './settings.ts';
