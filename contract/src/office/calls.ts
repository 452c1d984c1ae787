// Longer than 300 lines: one table, to be read from top to bottom.
import type { Call } from '../calls.ts';
import * as appearance from './appearance.ts';
import * as ballots from './ballots.ts';
import * as codes from './codes.ts';
import * as elections from './elections.ts';
import * as files from './files.ts';
import * as fixDeadlines from './fix-deadlines.ts';
import * as fixes from './fixes.ts';
import * as flags from './flags.ts';
import * as images from './images.ts';
import * as log from './log.ts';
import * as messages from './messages.ts';
import * as misuse from './misuse.ts';
import * as people from './people.ts';
import * as reports from './reports.ts';
import type { Permission } from './roles.ts';
import * as scanPush from './scan-push.ts';
import * as settings from './settings.ts';
import { Today } from './today.ts';
import * as translations from './translations.ts';
import * as uploads from './uploads.ts';
import * as voters from './voters.ts';
import * as words from './words.ts';

/**
 * Every call of the office's console: the one table from which its routes, typed client and OpenAPI document are
 * generated. Voters' browsers load nothing of it. `access` says who may call: anyone, any person who is signed in to
 * this office, or a person whose roles there have the permission. A call without a session answers 401, one without
 * the permission 403. With `needsProof` the person must have signed in within the last five minutes.
 */
export const officeCalls = {
  getOfficeOptions: {
    method: 'GET',
    path: '/api/office/options',
    access: 'anyone',
    success: 200,
    answer: people.OfficeOptions,
  },
  startPasskeySignIn: {
    method: 'POST',
    path: '/api/office/passkey-challenge',
    access: 'anyone',
    success: 200,
    answer: people.PasskeyOptions,
  },
  createOfficeSession: {
    method: 'POST',
    path: '/api/office/session',
    access: 'anyone',
    body: people.PasskeySignIn,
    success: 201,
    answer: people.OfficeSession,
  },
  /** Sets a cookie with which this browser alone can finish the sign-in, within ten minutes. */
  startProviderSignIn: {
    method: 'POST',
    path: '/api/office/provider-sign-in',
    access: 'anyone',
    body: people.ProviderSignInStart,
    success: 200,
    answer: people.ProviderSignIn,
  },
  createProviderSession: {
    method: 'POST',
    path: '/api/office/provider-session',
    access: 'anyone',
    body: people.ProviderAnswer,
    success: 201,
    answer: people.OfficeSession,
  },
  getOfficeSession: {
    method: 'GET',
    path: '/api/office/session',
    access: 'signed-in',
    isActivity: false,
    success: 200,
    answer: people.OfficeSession,
  },
  deleteOfficeSession: {
    method: 'DELETE',
    path: '/api/office/session',
    access: 'anyone',
    success: 200,
    answer: people.SignedOut,
  },
  /** Signs the command line in, as the person who is signed in here. With proof, because files are decided with it. */
  createCommandSession: {
    method: 'POST',
    path: '/api/office/command-session',
    access: 'signed-in',
    needsProof: true,
    body: people.CommandSessionStart,
    success: 204,
  },
  readInvitation: {
    method: 'POST',
    path: '/api/office/invitation',
    access: 'anyone',
    body: people.InvitationQuery,
    success: 200,
    answer: people.Invitation,
  },
  startInvitation: {
    method: 'POST',
    path: '/api/office/invitation/passkey-challenge',
    access: 'anyone',
    body: people.InvitationQuery,
    success: 200,
    answer: people.PasskeyOptions,
  },
  acceptInvitation: {
    method: 'POST',
    path: '/api/office/invitation/acceptance',
    access: 'anyone',
    body: people.InvitationAcceptance,
    success: 201,
    answer: people.OfficeSession,
  },
  listPeople: {
    method: 'GET',
    path: '/api/office/people',
    access: 'people',
    success: 200,
    answer: people.PeopleAnswer,
  },
  invitePerson: {
    method: 'POST',
    path: '/api/office/people',
    access: 'people',
    needsProof: true,
    body: people.NewInvitation,
    success: 201,
    answer: people.CreatedInvitation,
  },
  /** For a person who lost every passkey. */
  reinvitePerson: {
    method: 'POST',
    path: '/api/office/people/:person_id/invitation',
    access: 'people',
    needsProof: true,
    params: people.PersonParams,
    success: 201,
    answer: people.CreatedInvitation,
  },
  changeRoles: {
    method: 'PATCH',
    path: '/api/office/people/:person_id',
    access: 'people',
    needsProof: true,
    params: people.PersonParams,
    body: people.RolesChange,
    success: 204,
  },
  removePerson: {
    method: 'DELETE',
    path: '/api/office/people/:person_id',
    access: 'people',
    needsProof: true,
    params: people.PersonParams,
    success: 204,
  },
  /** Lets a removed person in again, without any role: the groups of the directory, or an administrator, give them. */
  readmitPerson: {
    method: 'POST',
    path: '/api/office/people/:person_id/readmission',
    access: 'people',
    needsProof: true,
    params: people.PersonParams,
    success: 204,
  },
  listLog: {
    method: 'GET',
    path: '/api/office/log',
    access: 'log',
    query: log.LogQuery,
    success: 200,
    answer: log.LogAnswer,
  },
  downloadLog: {
    method: 'GET',
    path: '/api/office/log.csv',
    access: 'log',
    query: log.LogFileQuery,
    success: 200,
    answerFile: 'text/csv',
  },
  getSettings: {
    method: 'GET',
    path: '/api/office/settings',
    access: 'settings',
    success: 200,
    answer: settings.SettingsAnswer,
  },
  /** Changes nothing. A POST, because an account file does not fit into an address. */
  checkSettings: {
    method: 'POST',
    path: '/api/office/settings/check',
    access: 'settings',
    body: settings.SettingsCheck,
    success: 200,
    answer: settings.SettingsCheckAnswer,
  },
  changeSettings: {
    method: 'PATCH',
    path: '/api/office/settings',
    access: 'settings',
    needsProof: true,
    body: settings.SettingsChange,
    success: 200,
    answer: settings.SettingsChanged,
  },
  downloadSettings: {
    method: 'GET',
    path: '/api/office/settings.json',
    access: 'settings',
    success: 200,
    answerFile: 'application/json',
  },
  listElections: {
    method: 'GET',
    path: '/api/office/elections',
    access: 'settings',
    success: 200,
    answer: elections.ElectionsAnswer,
  },
  addElection: {
    method: 'POST',
    path: '/api/office/elections',
    access: 'settings',
    body: elections.NewElection,
    success: 201,
    answer: elections.CreatedElection,
  },
  changeElection: {
    method: 'PATCH',
    path: '/api/office/elections/:election_id',
    access: 'settings',
    needsProof: true,
    params: elections.ElectionParams,
    body: elections.ElectionEdit,
    success: 204,
  },
  removeElection: {
    method: 'DELETE',
    path: '/api/office/elections/:election_id',
    access: 'settings',
    params: elections.ElectionParams,
    success: 204,
  },
  listFixDeadlines: {
    method: 'GET',
    path: '/api/office/fix-deadlines',
    access: 'settings',
    success: 200,
    answer: fixDeadlines.FixDeadlinesAnswer,
  },
  /** With proof, because every voter with an envelope to fix reads it at once. */
  changeFixDeadlines: {
    method: 'PATCH',
    path: '/api/office/elections/:election_id/fix-deadlines',
    access: 'settings',
    needsProof: true,
    params: elections.ElectionParams,
    body: fixDeadlines.FixDeadlinesChange,
    success: 200,
    answer: fixDeadlines.FixDeadlinesChanged,
  },
  listFlags: {
    method: 'GET',
    path: '/api/office/flags',
    access: 'settings',
    success: 200,
    answer: flags.FlagsAnswer,
  },
  setFlag: {
    method: 'PATCH',
    path: '/api/office/flags/:key',
    access: 'settings',
    needsProof: true,
    params: flags.FlagParams,
    body: flags.FlagChange,
    success: 204,
  },
  /** Sets the flag as it was before its last change, a rule of the command line, too. */
  undoFlag: {
    method: 'POST',
    path: '/api/office/flags/:key/undo',
    access: 'settings',
    needsProof: true,
    params: flags.FlagParams,
    body: flags.FlagUndo,
    success: 204,
  },
  getScanPush: {
    method: 'GET',
    path: '/api/office/scan-push',
    access: 'settings',
    success: 200,
    answer: scanPush.ScanPush,
  },
  /** With proof, because who has the password can say where ballots are. The one before stops working. */
  makePushPassword: {
    method: 'POST',
    path: '/api/office/scan-push/password',
    access: 'settings',
    needsProof: true,
    body: scanPush.PushPasswordMaking,
    success: 201,
    answer: scanPush.PushPassword,
  },
  /** What an administrator decides on when somebody misuses the voters' page. */
  getMisuse: {
    method: 'GET',
    path: '/api/office/misuse',
    access: 'settings',
    success: 200,
    answer: misuse.MisuseAnswer,
  },
  /** With proof, because it writes to addresses that nobody has confirmed, or never will. */
  decideRequests: {
    method: 'POST',
    path: '/api/office/requests/:channel/decision',
    access: 'settings',
    needsProof: true,
    params: misuse.RequestsParams,
    body: misuse.RequestsDecision,
    success: 200,
    answer: misuse.RequestsDecided,
  },
  /** Signs every voter of the office out at once. With proof, because thousands may have to sign in again. */
  endVoterSessions: {
    method: 'POST',
    path: '/api/office/voter-sessions/end',
    access: 'settings',
    needsProof: true,
    body: misuse.SessionsEnd,
    success: 200,
    answer: misuse.SessionsEnded,
  },
  /** The office's pieces and its own texts; with a search, all texts that match. */
  listTexts: {
    method: 'GET',
    path: '/api/office/texts',
    access: 'words',
    query: words.TextsQuery,
    success: 200,
    answer: words.TextsAnswer,
  },
  getText: {
    method: 'GET',
    path: '/api/office/text',
    access: 'words',
    query: words.TextQuery,
    success: 200,
    answer: words.TextAnswer,
  },
  saveDraft: {
    method: 'POST',
    path: '/api/office/text/draft',
    access: 'words',
    body: words.DraftSave,
    success: 200,
    answer: words.DraftSaved,
  },
  discardDraft: {
    method: 'POST',
    path: '/api/office/text/draft/discard',
    access: 'words',
    body: words.DraftDecision,
    success: 204,
  },
  /** With proof, because every voter sees it at once. What says what became of a ballot asks for another person than the draft's author. */
  publishDraft: {
    method: 'POST',
    path: '/api/office/text/publication',
    access: 'words',
    needsProof: true,
    body: words.DraftDecision,
    success: 204,
  },
  /** Shows voters what they read before the last change. */
  undoText: {
    method: 'POST',
    path: '/api/office/text/undo',
    access: 'words',
    needsProof: true,
    body: words.TextUndo,
    success: 204,
  },
  /** Says that a person other than the author has read a version. */
  reviewText: {
    method: 'POST',
    path: '/api/office/text/versions/:version_id/review',
    access: 'words',
    params: words.VersionParams,
    success: 204,
  },
  removeReleaseNote: {
    method: 'DELETE',
    path: '/api/office/release-notes/:release_note_id',
    access: 'words',
    params: words.NoteParams,
    success: 204,
  },
  /** A page of voters as it would be with the draft, without scripts. */
  previewText: {
    method: 'GET',
    path: '/api/office/text/preview.html',
    access: 'words',
    query: words.PreviewQuery,
    success: 200,
    answerFile: 'text/html',
  },
  sampleMessage: {
    method: 'GET',
    path: '/api/office/text/message',
    access: 'words',
    query: words.TextQuery,
    success: 200,
    answer: words.MessageSample,
  },
  /** XLIFF 1.2: what the office wrote in English, with what it has in this language beside it. */
  downloadTranslations: {
    method: 'GET',
    path: '/api/office/translations.xlf',
    access: 'words',
    query: translations.TranslationsQuery,
    success: 200,
    answerFile: 'application/xliff+xml',
  },
  /** Makes drafts of a file that translators sent back. The file says its language. */
  importTranslations: {
    method: 'POST',
    path: '/api/office/translations',
    access: 'words',
    bodyBytes: translations.mostTranslationBytes,
    success: 200,
    answer: translations.TranslationsImported,
  },
  listImages: {
    method: 'GET',
    path: '/api/office/images',
    access: 'words',
    success: 200,
    answer: images.ImagesAnswer,
  },
  /** With proof, because every voter sees it at once. */
  replaceImage: {
    method: 'POST',
    path: '/api/office/images/:kind',
    access: 'words',
    needsProof: true,
    params: images.ImageParams,
    bodyBytes: images.mostImageBytes.background,
    success: 204,
  },
  removeImage: {
    method: 'DELETE',
    path: '/api/office/images/:kind',
    access: 'words',
    needsProof: true,
    params: images.ImageParams,
    success: 204,
  },
  undoImage: {
    method: 'POST',
    path: '/api/office/images/:kind/undo',
    access: 'words',
    needsProof: true,
    params: images.ImageParams,
    body: images.ImageUndo,
    success: 204,
  },
  /** The office's color and whether the page says that many people are using it, with who changed them. */
  getAppearance: {
    method: 'GET',
    path: '/api/office/appearance',
    access: 'words',
    success: 200,
    answer: appearance.Appearance,
  },
  /** With proof, as are the following, because every voter sees it at once. */
  changeColor: {
    method: 'PATCH',
    path: '/api/office/appearance/color',
    access: 'words',
    needsProof: true,
    body: appearance.ColorChange,
    success: 204,
  },
  setOutage: {
    method: 'PATCH',
    path: '/api/office/appearance/outage',
    access: 'words',
    needsProof: true,
    body: flags.FlagChange,
    success: 204,
  },
  undoOutage: {
    method: 'POST',
    path: '/api/office/appearance/outage/undo',
    access: 'words',
    needsProof: true,
    body: flags.FlagUndo,
    success: 204,
  },
  /** A page of voters with another color or notice, without scripts. */
  previewAppearance: {
    method: 'GET',
    path: '/api/office/appearance/preview.html',
    access: 'words',
    query: appearance.AppearanceQuery,
    success: 200,
    answerFile: 'text/html',
  },
  /** Elections whose codes can be made. */
  listCodeElections: {
    method: 'GET',
    path: '/api/office/code-elections',
    access: 'counts',
    success: 200,
    answer: codes.CodeElections,
  },
  /** A POST, because it creates codes; with proof, because voters sign in with them. */
  createBallotCodes: {
    method: 'POST',
    path: '/api/office/ballot-codes.csv',
    access: 'codes',
    needsProof: true,
    body: codes.BallotCodes,
    success: 200,
    answerFile: 'text/csv',
  },
  createBallotSheet: {
    method: 'POST',
    path: '/api/office/ballot-codes.pdf',
    access: 'codes',
    needsProof: true,
    body: codes.BallotCodes,
    success: 200,
    answerFile: 'application/pdf',
  },
  createLetterCodes: {
    method: 'POST',
    path: '/api/office/letter-codes.csv',
    access: 'confidential',
    needsProof: true,
    body: codes.LetterCodes,
    success: 200,
    answerFile: 'text/csv',
  },
  createLetterSheet: {
    method: 'POST',
    path: '/api/office/letter-codes.pdf',
    access: 'confidential',
    needsProof: true,
    body: codes.LetterCodes,
    success: 200,
    answerFile: 'application/pdf',
  },
  getToday: {
    method: 'GET',
    path: '/api/office/today',
    access: 'counts',
    isActivity: false,
    success: 200,
    answer: Today,
  },
  /** Envelopes that voters can fix. Their names are among it: each look is in the audit. */
  listFixes: {
    method: 'GET',
    path: '/api/office/fixes',
    access: 'voters',
    query: fixes.FixesQuery,
    success: 200,
    answer: fixes.FixesAnswer,
  },
  /** A POST, because it says that letters were printed; with proof, because names and addresses leave in a file. */
  createFixLetters: {
    method: 'POST',
    path: '/api/office/fix-letters.html',
    access: 'voters',
    needsProof: true,
    body: fixes.FixLetters,
    success: 200,
    answerFile: 'text/html',
  },
  getFixReport: {
    method: 'GET',
    path: '/api/office/fix-report',
    access: 'counts',
    query: fixes.FixReportQuery,
    success: 200,
    answer: fixes.FixReport,
  },
  getReport: {
    method: 'GET',
    path: '/api/office/report',
    access: 'counts',
    query: reports.ReportQuery,
    success: 200,
    answer: reports.ReportAnswer,
  },
  downloadReport: {
    method: 'GET',
    path: '/api/office/report.csv',
    access: 'counts',
    query: reports.ReportQuery,
    success: 200,
    answerFile: 'text/csv',
  },
  /** An election's ballots by status and day. */
  downloadChart: {
    method: 'GET',
    path: '/api/office/chart.svg',
    access: 'counts',
    query: reports.ChartQuery,
    success: 200,
    answerFile: 'image/svg+xml',
  },
  downloadChartPng: {
    method: 'GET',
    path: '/api/office/chart.png',
    access: 'counts',
    query: reports.ChartQuery,
    success: 200,
    answerFile: 'image/png',
  },
  downloadChartPdf: {
    method: 'GET',
    path: '/api/office/chart.pdf',
    access: 'counts',
    query: reports.ChartQuery,
    success: 200,
    answerFile: 'application/pdf',
  },
  /** Whom they went to is among it: each look is in the audit. */
  listMessages: {
    method: 'GET',
    path: '/api/office/messages',
    access: 'voters',
    query: messages.MessagesQuery,
    success: 200,
    answer: messages.MessagesAnswer,
  },
  getMessage: {
    method: 'GET',
    path: '/api/office/messages/:message_id',
    access: 'voters',
    params: messages.MessageParams,
    success: 200,
    answer: messages.MessageAnswer,
  },
  /** Read only when a person asks: it looks at all that waits, of every office. */
  getQueue: {
    method: 'GET',
    path: '/api/office/queue',
    access: 'counts',
    success: 200,
    answer: messages.QueueAnswer,
  },
  listFiles: {
    method: 'GET',
    path: '/api/office/files',
    access: 'files',
    query: files.FilesQuery,
    success: 200,
    answer: files.FilesAnswer,
  },
  getFile: {
    method: 'GET',
    path: '/api/office/files/:import_id',
    access: 'files',
    isActivity: false,
    params: files.FileParams,
    success: 200,
    answer: files.FileAnswer,
  },
  releaseFile: {
    method: 'POST',
    path: '/api/office/files/:import_id/release',
    access: 'release',
    needsProof: true,
    params: files.FileParams,
    body: files.ReleaseDecision,
    success: 200,
    answer: files.DecisionAnswer,
  },
  returnFile: {
    method: 'POST',
    path: '/api/office/files/:import_id/return',
    access: 'release',
    needsProof: true,
    params: files.FileParams,
    body: files.Decision,
    success: 200,
    answer: files.DecisionAnswer,
  },
  correctFile: {
    method: 'POST',
    path: '/api/office/files/:import_id/correction',
    access: 'release',
    needsProof: true,
    params: files.FileParams,
    body: files.Decision,
    success: 200,
    answer: files.DecisionAnswer,
  },
  /** The rows of an imported file that were refused, with the reason of each. */
  downloadRejects: {
    method: 'GET',
    path: '/api/office/files/:import_id/rejects',
    access: 'import',
    params: files.FileParams,
    success: 200,
    answerFile: 'text/csv',
  },
  /** Files that were uploaded and are not decided yet, and what the console needs to upload another. */
  listUploads: {
    method: 'GET',
    path: '/api/office/uploads',
    access: 'import',
    isActivity: false,
    success: 200,
    answer: uploads.UploadsAnswer,
  },
  startUpload: {
    method: 'POST',
    path: '/api/office/uploads',
    access: 'import',
    body: uploads.NewUpload,
    success: 201,
    answer: uploads.UploadAnswer,
  },
  getUpload: {
    method: 'GET',
    path: '/api/office/uploads/:upload_id',
    access: 'import',
    isActivity: false,
    params: uploads.UploadParams,
    success: 200,
    answer: uploads.UploadAnswer,
  },
  /** One piece of the file. The same piece again changes nothing, so that it can be sent until an answer comes. */
  sendPiece: {
    method: 'POST',
    path: '/api/office/uploads/:upload_id/pieces/:piece',
    access: 'import',
    params: uploads.PieceParams,
    query: uploads.PieceQuery,
    bodyBytes: uploads.pieceBytes,
    success: 204,
  },
  /** Reads the whole file without changing anything, by the format that it looks like or that a person says. */
  checkUpload: {
    method: 'POST',
    path: '/api/office/uploads/:upload_id/check',
    access: 'import',
    params: uploads.UploadParams,
    body: uploads.UploadReading,
    success: 200,
    answer: uploads.UploadAnswer,
  },
  importUpload: {
    method: 'POST',
    path: '/api/office/uploads/:upload_id/import',
    access: 'import',
    params: uploads.UploadParams,
    body: uploads.UploadDecision,
    success: 200,
    answer: uploads.UploadAnswer,
  },
  deleteUpload: {
    method: 'DELETE',
    path: '/api/office/uploads/:upload_id',
    access: 'import',
    params: uploads.UploadParams,
    success: 204,
  },
  listBallots: {
    method: 'GET',
    path: '/api/office/ballots',
    access: 'voters',
    query: ballots.BallotsQuery,
    success: 200,
    answer: ballots.BallotsAnswer,
  },
  /** A POST, because what is typed must not be in an address, which logs keep. */
  findVoters: {
    method: 'POST',
    path: '/api/office/voter-search',
    access: 'voters',
    body: voters.VoterSearch,
    success: 200,
    answer: voters.VoterMatches,
  },
  getVoterRecord: {
    method: 'GET',
    path: '/api/office/voters/:voter_id',
    access: 'voters',
    params: voters.VoterParams,
    success: 200,
    answer: voters.VoterRecord,
  },
  /** The voter's dashboard as the voter would see it now, without scripts. */
  showVoterPage: {
    method: 'GET',
    path: '/api/office/voters/:voter_id/page.html',
    access: 'voters',
    params: voters.VoterParams,
    success: 200,
    answerFile: 'text/html',
  },
  unlockVoter: {
    method: 'POST',
    path: '/api/office/voters/:voter_id/unlock',
    access: 'voters',
    params: voters.VoterParams,
    success: 200,
    answer: voters.Unlocked,
  },
  signVoterOut: {
    method: 'POST',
    path: '/api/office/voters/:voter_id/sign-out',
    access: 'voters',
    params: voters.VoterParams,
    success: 200,
    answer: voters.VoterSignedOut,
  },
  revokeLetterCode: {
    method: 'POST',
    path: '/api/office/voters/:voter_id/letter-code/revocation',
    access: 'confidential',
    params: voters.VoterParams,
    success: 200,
    answer: voters.LetterCodeRevoked,
  },
  noteCall: {
    method: 'POST',
    path: '/api/office/voters/:voter_id/notes',
    access: 'voters',
    params: voters.VoterParams,
    body: voters.CallNote,
    success: 201,
    answer: voters.VoterNote,
  },
  /** A message about a ballot that is still true, for a voter who asks for it, within the limits of the voter's own page. */
  sendVoterMessageAgain: {
    method: 'POST',
    path: '/api/office/voters/:voter_id/messages/:message_id/again',
    access: 'voters',
    params: voters.VoterMessageParams,
    success: 200,
    answer: voters.SentAgain,
  },
} as const satisfies Record<string, OfficeCall>;

export interface OfficeCall extends Call<'anyone' | 'signed-in' | Permission> {
  readonly needsProof?: true;
}

export type OfficeCallName = keyof typeof officeCalls;

/** The codes that the console reacts to. */
export const officeErrorCodes = {
  /** The person signed in too long ago for this call: sign in again, and send it once more. */
  proofNeeded: 7001,
} as const;
