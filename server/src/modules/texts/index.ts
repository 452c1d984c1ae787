export {
  type AccountTexts,
  findOverrideProblem,
  layOver,
  officeAlertKey,
} from './account-texts.ts';
export { type Catalog, readCatalog, type Section } from './catalog.ts';
export { listDroppedHtml } from './dropped-html.ts';
export { isHtmlKey, sanitizeOfficeHtml } from './office-html.ts';
export { type Override, readOverrides, saveOverride } from './store.ts';
