export { brandingOf, languageFileOf, registerOfficeRoutes } from './office-routes.ts';
export {
  addReleaseNote,
  type OfficePage,
  readOfficePage,
  readReleaseNotes,
  removeReleaseNote,
  saveNoBallotMessage,
  saveOfficePage,
} from './store.ts';
export { readFaq, registerWordsRoutes } from './words-routes.ts';
