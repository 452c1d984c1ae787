export { type Imb, type ReadImb, readImb, toBars } from './imb.ts';
export { type Direction, directionOf, type Stid, stids } from './stids.ts';
