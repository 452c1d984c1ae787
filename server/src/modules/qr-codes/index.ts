export { registerCodeRoutes } from './office-routes.ts';
export { type QrSheet, sheetOfBallots, sheetOfLetters } from './sheets.ts';
