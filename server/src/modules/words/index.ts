export { type Author, changeText, publishNote } from './change-text.ts';
export { checkWords } from './check-words.ts';
export { registerWordsRoutes } from './office-routes.ts';
export { nameText, toWords } from './rules.ts';
export { readOwnTexts } from './store.ts';
