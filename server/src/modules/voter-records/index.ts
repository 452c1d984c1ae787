export { listedVoters, shownMessages, shownNotes } from './lengths.ts';
export { discardOldNotes, readNotes } from './notes-store.ts';
export { registerVoterRecordRoutes } from './office-routes.ts';
export { registerVoterSignInRoutes } from './sign-in-routes.ts';
