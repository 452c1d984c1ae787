export { type Author, changeText, nameText, publishNote, toWords } from './change-text.ts';
export { registerWordsRoutes } from './office-routes.ts';
export { readOwnTexts } from './store.ts';
