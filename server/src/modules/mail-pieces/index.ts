export { type Imb, type ReadImb, readImb, toBars } from './imb.ts';
