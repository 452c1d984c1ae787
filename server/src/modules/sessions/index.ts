export { type AskRecaptcha, askGoogle, createCaptchaCheck } from './captcha-check.ts';
export { allowCode, countCode } from './code-limits.ts';
export { explainIssues } from './explain-issues.ts';
export { drawLetterCodes, type LetterCode, revokeLetterCode } from './letter-code-store.ts';
export { isOverForLetters, lastDayOfLetterCode, letterCodeLifetimeMs } from './letter-codes.ts';
export { networksOf } from './networks.ts';
export { registerQrSignInRoutes } from './qr-sign-in-routes.ts';
export { explainWait, logOut, registerSessionRoutes } from './routes.ts';
export { idleTimeoutMs } from './rules.ts';
export { countContactCodeTry, countMovedVoter, countResend, countSave } from './save-limits.ts';
export { countSessions, deleteExpired, endSessions, grantContactProof } from './store.ts';
export { countRefusal } from './throttle-store.ts';
export { isVoterLocked, unlockVoter } from './unlock.ts';
export {
  createSessionCookies,
  createVisits,
  type OwnView,
  type Session,
  type SessionCookies,
  type Visit,
  type VoterApi,
} from './visits.ts';
