export { type AccountTexts, findOverrideProblem, layOver } from './account-texts.ts';
export { type Catalogue, readCatalogue, type Section } from './catalogue.ts';
export { isHtmlKey, sanitizeOfficeHtml } from './office-html.ts';
export { type Override, readOverrides, saveOverride } from './store.ts';
