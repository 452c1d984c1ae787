export { blankImagePath } from './branding.ts';
export {
  type AccountSite,
  createSites,
  type Site,
  type Sites,
  type UnbrandedSite,
  type UnservedSite,
} from './directory.ts';
