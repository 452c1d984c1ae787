export { registerCodeRoutes } from './office-routes.ts';
export { type QrSheet, sheetOfBallots, sheetOfLetters, writeCodeTable } from './sheets.ts';
