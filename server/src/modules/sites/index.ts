export { blankImagePath, imagePath } from './branding.ts';
export {
  type AccountSite,
  createSites,
  type Site,
  type Sites,
  toOverride,
  type UnbrandedSite,
  type UnservedSite,
} from './directory.ts';
export { readHost } from './hosts.ts';
