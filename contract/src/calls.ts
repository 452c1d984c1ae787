import * as z from 'zod/mini';
import { ViewCount } from './analytics.ts';
import {
  ArchiveBallotAnswer,
  BallotStatusProgress,
  NoBallotStatus,
} from './ballot-status-progress.ts';
import { BrandingAnswer } from './branding.ts';
import { CaptchaChallenge, CaptchaQuery } from './captcha.ts';
import { Faq, ReleaseNoteAnswer } from './content.ts';
import { FlagClient } from './flag-client.ts';
import { LanguageFile } from './language-file.ts';
import { CheckedMessage, MessageCheck, MessageOrigins } from './message-check.ts';
import { OwnMessages, SentAgain } from './own-messages.ts';
import { Performance } from './performance.ts';
import { Credentials, QrSignInRequest, SessionCreated } from './session.ts';
import {
  ContactCodeRequest,
  ContactProof,
  DeliveryTypeAnswer,
  PreferencesPatch,
  UnsubscribeRequest,
  VoterInformation,
  VoterInformationAnswer,
} from './voter-information.ts';

const language = z.optional(z.string().check(z.maxLength(20)));
const LanguageQuery = z.object({ language });

/**
 * Every call of the voter API (product spec §7): the one table from which routes, typed client and OpenAPI document
 * are generated. `access` says who may call; a signed-in voter's call answers 403 without a valid session.
 * `success` is the status of a good answer; 204 has no body. Errors are `Problem`s.
 */
export const calls = {
  createSession: {
    method: 'POST',
    path: '/api/voter/session',
    access: 'anyone',
    body: Credentials,
    success: 201,
    answer: SessionCreated,
  },
  deleteSession: { method: 'DELETE', path: '/api/voter/session', access: 'anyone', success: 204 },
  checkSession: {
    method: 'GET',
    path: '/api/voter/information/me',
    access: 'voter',
    success: 200,
    answer: VoterInformation,
  },
  updatePreferences: {
    method: 'PATCH',
    path: '/api/voter/information/me',
    access: 'voter',
    body: PreferencesPatch,
    success: 200,
    answer: VoterInformation,
  },
  requestContactCode: {
    method: 'POST',
    path: '/api/voter/contact-code',
    access: 'voter',
    body: ContactCodeRequest,
    success: 204,
  },
  proveContact: {
    method: 'POST',
    path: '/api/voter/contact-proof',
    access: 'voter',
    body: ContactProof,
    success: 200,
    answer: VoterInformation,
  },
  getVoterInformation: {
    method: 'GET',
    path: '/api/voter/information',
    access: 'voter',
    success: 200,
    answer: VoterInformationAnswer,
  },
  getBallotStatusProgress: {
    method: 'GET',
    path: '/api/voter/ballot-status-progress/me',
    access: 'voter',
    // An open page asks by itself; it reports what its voter does in another way.
    isActivity: false,
    query: LanguageQuery,
    success: 200,
    answer: BallotStatusProgress,
  },
  getBallotCalendar: {
    method: 'GET',
    path: '/api/voter/ballot/:ballot_id/calendar',
    access: 'voter',
    params: z.object({ ballot_id: z.string().check(z.regex(/^\d{1,15}$/)) }),
    query: z.object({ deadline: z.enum(['return', 'fix']), language }),
    success: 200,
    answerFile: 'text/calendar',
  },
  getNoBallotStatus: {
    method: 'GET',
    path: '/api/voter/no-ballot-status/:language',
    access: 'anyone',
    params: z.object({ language: z.string().check(z.maxLength(20)) }),
    success: 200,
    answer: NoBallotStatus,
  },
  getArchiveBallots: {
    method: 'GET',
    path: '/api/voter/archive-ballot',
    access: 'voter',
    query: z.object({
      page_size: z.optional(z.coerce.number().check(z.int(), z.minimum(-1), z.maximum(1000))),
      language,
    }),
    success: 200,
    answer: ArchiveBallotAnswer,
  },
  getDeliveryTypes: {
    method: 'GET',
    path: '/api/voter/delivery-type',
    access: 'voter',
    success: 200,
    answer: DeliveryTypeAnswer,
  },
  getBranding: {
    method: 'GET',
    path: '/api/voter/branding',
    access: 'anyone',
    success: 200,
    answer: BrandingAnswer,
  },
  getLanguageFile: {
    method: 'GET',
    path: '/api/voter/language-file',
    access: 'anyone',
    query: z.object({
      section: z.enum(['main', 'messages']),
      language: z.string().check(z.maxLength(20)),
    }),
    success: 200,
    answer: LanguageFile,
  },
  getFaq: {
    method: 'GET',
    path: '/api/voter/faq',
    access: 'anyone',
    query: LanguageQuery,
    success: 200,
    answer: Faq,
  },
  getReleaseNotes: {
    method: 'GET',
    path: '/api/voter/release-note',
    access: 'anyone',
    query: z.object({
      page: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100_000))),
      page_size: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
    }),
    success: 200,
    answer: ReleaseNoteAnswer,
  },
  unsubscribe: {
    method: 'POST',
    path: '/api/voter/unsubscribe',
    access: 'anyone',
    body: UnsubscribeRequest,
    success: 204,
  },
  getOwnMessages: {
    method: 'GET',
    path: '/api/voter/message',
    access: 'voter',
    success: 200,
    answer: OwnMessages,
  },
  sendMessageAgain: {
    method: 'POST',
    path: '/api/voter/message/:id/again',
    access: 'voter',
    params: z.object({ id: z.string().check(z.regex(/^\d{1,15}$/)) }),
    success: 200,
    answer: SentAgain,
  },
  checkMessage: {
    method: 'POST',
    path: '/api/voter/message-check',
    access: 'anyone',
    body: MessageCheck,
    success: 200,
    answer: CheckedMessage,
  },
  getMessageOrigins: {
    method: 'GET',
    path: '/api/voter/message-origins',
    access: 'anyone',
    success: 200,
    answer: MessageOrigins,
  },
  getPerformance: {
    method: 'GET',
    path: '/api/voter/performance',
    access: 'anyone',
    success: 200,
    answer: Performance,
  },
  createQrSession: {
    method: 'POST',
    path: '/api/voter/ballot-login',
    access: 'anyone',
    body: QrSignInRequest,
    success: 201,
    answer: SessionCreated,
  },
  validateQrCode: {
    method: 'GET',
    path: '/api/voter/qr-validate/:guid',
    access: 'anyone',
    params: z.object({ guid: z.string().check(z.maxLength(100)) }),
    success: 204,
  },
  getFlagClient: {
    method: 'GET',
    path: '/api/ldclient.php',
    access: 'anyone',
    success: 200,
    answer: FlagClient,
  },
  countView: {
    method: 'POST',
    path: '/api/voter/page-view',
    access: 'anyone',
    isActivity: false,
    body: ViewCount,
    success: 204,
  },
  getCaptchaChallenge: {
    method: 'GET',
    path: '/api/voter/captcha',
    access: 'anyone',
    query: CaptchaQuery,
    success: 200,
    answer: CaptchaChallenge,
  },
} as const satisfies Record<string, Call>;

/** @typeParam Access who may call, by the words of the table that the call stands in */
export interface Call<Access extends string = 'anyone' | 'voter'> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: `/api/${string}`;
  readonly access: Access;
  /** False for what a page asks again and again by itself: a tab that nobody looks at must not keep its session alive. */
  readonly isActivity?: boolean;
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** The body is no JSON but bytes (`application/octet-stream`), at most so many. */
  readonly bodyBytes?: number;
  readonly success: 200 | 201 | 204;
  readonly answer?: z.ZodMiniType;
  /** The answer is no JSON but a file of this media type, to be downloaded. */
  readonly answerFile?:
    | 'text/csv'
    | 'text/calendar'
    | 'text/html'
    | 'application/json'
    | 'application/xliff+xml'
    | 'image/svg+xml'
    | 'image/png'
    | 'application/pdf';
}

export type CallName = keyof typeof calls;
