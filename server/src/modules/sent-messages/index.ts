/** What an office's messages show of themselves, to those who got them and to everybody. */
export { type AgainParts, fulfillAgain } from './again.ts';
export { readAgainAnswers } from './again-answers.ts';
export { registerOfficeMessageRoutes } from './office-routes.ts';
export { registerSentMessageRoutes } from './routes.ts';
