// Longer than 300 lines: one table, in the order of the calls.
import type { OfficeCallName } from '@ballot-beacon/contract/office/calls';
import type { CallWords } from './words.ts';

/** What the table of the console's calls does not say itself; a call without a description does not compile. */
export const officeCallWords: Readonly<Record<OfficeCallName, CallWords>> = {
  getOfficeOptions: {
    tag: 'Console',
    summary: 'The office of this host, and how people sign in to its console',
    refusals: [404],
  },
  startPasskeySignIn: {
    tag: 'Console',
    summary: 'A challenge for a passkey, in WebAuthn’s JSON form',
    refusals: [404],
  },
  createOfficeSession: {
    tag: 'Console',
    summary: 'Sign a person in with a passkey',
    description:
      'The session is in a cookie of its own, which opens no call of a voter. It ends after 30 minutes without activity and after 12 hours.',
    refusals: [401, 403, 404, 422],
  },
  startProviderSignIn: {
    tag: 'Console',
    summary: 'Begin to sign a person in by the identity provider of the office',
    description:
      'Sets the cookie with which the same browser finishes the sign-in within ten minutes. With `again` the provider asks the person anew.',
    refusals: [404, 422],
  },
  createProviderSession: {
    tag: 'Console',
    summary: 'Sign a person in by the answer of the identity provider',
    description:
      'Answers 403 when no group of the person has a role in this office. The session is that of `createOfficeSession`.',
    refusals: [400, 401, 403, 404, 422],
  },
  getOfficeSession: {
    tag: 'Console',
    summary: 'Who is signed in, and what the person may do',
    description: 'Asking does not keep the session alive.',
    refusals: [401, 404],
  },
  deleteOfficeSession: { tag: 'Console', summary: 'Sign out of the console', refusals: [404] },
  createCommandSession: {
    tag: 'Console',
    summary: 'Sign the command line in as the person who is signed in here',
    description:
      'Takes the hash of a secret that `beacon login` made and keeps. The session opens nothing at the console, and decides for as long as this sign-in is fresh. Answers 409 when it was used.',
    refusals: [400, 401, 403, 404, 409, 422],
  },
  readInvitation: {
    tag: 'Console',
    summary: 'Who is invited, and to what',
    refusals: [404, 422],
  },
  startInvitation: {
    tag: 'Console',
    summary: 'A challenge for the new passkey of somebody who is invited',
    refusals: [404, 422],
  },
  acceptInvitation: {
    tag: 'Console',
    summary: 'Join an office with a new passkey, and sign in',
    refusals: [401, 404, 422],
  },
  listPeople: {
    tag: 'Console',
    summary: 'The people of the office, and open invitations',
    refusals: [401, 403, 404],
  },
  invitePerson: {
    tag: 'Console',
    summary: 'Invite a person',
    description:
      'Answers 403 with `error-code` 7001 when the last sign-in is more than five minutes ago: sign in again and send the same body.',
    refusals: [401, 403, 404, 422],
  },
  reinvitePerson: {
    tag: 'Console',
    summary: 'Let a person who lost every passkey back in',
    description: 'Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [400, 401, 403, 404, 409],
  },
  changeRoles: {
    tag: 'Console',
    summary: 'Give a person these roles, and no others',
    description:
      'Who loses a role is signed out everywhere. Refused where the person no longer has the roles that `from` names. Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [400, 401, 403, 404, 409, 422],
  },
  removePerson: {
    tag: 'Console',
    summary: 'Remove a person, signed out everywhere at once',
    description: 'Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [400, 401, 403, 404, 409],
  },
  readmitPerson: {
    tag: 'Console',
    summary: 'Let a removed person in again, without any role',
    description:
      'The roles come from the groups at the next sign-in, or from `changeRoles`. Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [400, 401, 403, 404],
  },
  listLog: {
    tag: 'Console',
    summary: 'Who did what in the office, newest first',
    description:
      'What voters do themselves is not among it. Ask for older entries with `before`, the `next` of the last answer.',
    refusals: [400, 401, 403, 404],
  },
  downloadLog: {
    tag: 'Console',
    summary: 'The same as CSV, up to 50,000 entries',
    description:
      'Moments are by the office’s clock, such as `2026-11-01 01:30:00 PDT`. Where there are more entries, a last line says so in `details`.',
    refusals: [400, 401, 403, 404],
  },
  getSettings: {
    tag: 'Console',
    summary: 'Every setting of the office, with how it is filled in',
    description: 'Secrets and images are not among it.',
    refusals: [401, 403, 404],
  },
  checkSettings: {
    tag: 'Console',
    summary: 'What an account file, or a part of one, would change',
    description:
      'Changes nothing. What must be corrected is in `problems`, by the dotted name of the setting.',
    refusals: [401, 403, 404, 422],
  },
  changeSettings: {
    tag: 'Console',
    summary: 'Change the settings that an account file, or a part of one, names',
    description:
      'Answers 409 when somebody changed a setting since `version`. Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [401, 403, 404, 409, 422],
  },
  downloadSettings: {
    tag: 'Console',
    summary: 'The settings as an account file, without secrets and images',
    refusals: [401, 403, 404],
  },
  listElections: {
    tag: 'Console',
    summary: 'The elections of the office, newest first',
    refusals: [401, 403, 404],
  },
  addElection: {
    tag: 'Console',
    summary: 'Add an election',
    description: 'Answers 409 when the office has an election of this number.',
    refusals: [401, 403, 404, 409, 422],
  },
  changeElection: {
    tag: 'Console',
    summary: 'Change what the body names of an election',
    description:
      'Answers 409 when another election has the number, and when a number is changed while a file is imported.',
    refusals: [400, 401, 403, 404, 409, 422],
  },
  removeElection: {
    tag: 'Console',
    summary: 'Remove an election without ballots',
    description: 'Answers 409 when it has ballots, and while a file is imported.',
    refusals: [400, 401, 403, 404, 409],
  },
  listFixDeadlines: {
    tag: 'Console',
    summary:
      'Until when envelopes of the active elections can be fixed, by what is wrong with them',
    description:
      'For each problem what the rule of the state says, with its source, or what the office has to say first, and the deadline that the office set itself.',
    refusals: [401, 403, 404],
  },
  changeFixDeadlines: {
    tag: 'Console',
    summary: 'Lay deadlines of the office over the rule of its state, or let the rule apply again',
    description:
      'Answers 409 when somebody changed one of this election since `version`. Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [400, 401, 403, 404, 409, 422],
  },
  listFlags: {
    tag: 'Console',
    summary: 'Parts of the page that can be turned on and off, and who changed each last',
    refusals: [401, 403, 404],
  },
  setFlag: {
    tag: 'Console',
    summary: 'Turn a part of the page on or off, or leave it to the default',
    refusals: [400, 401, 403, 404, 422],
  },
  undoFlag: {
    tag: 'Console',
    summary: 'Undo the last change of a flag',
    description: 'Answers 409 when the flag was changed since.',
    refusals: [400, 401, 403, 404, 409, 422],
  },
  getScanPush: {
    tag: 'Console',
    summary: 'Where USPS pushes the office’s scans, and when its password was made',
    refusals: [401, 403, 404],
  },
  makePushPassword: {
    tag: 'Console',
    summary: 'Make the password with which USPS pushes scans; the one before stops working',
    description:
      'It is in this answer and nowhere else. Answers 409 when somebody made one since `made_at`. Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [401, 403, 404, 409, 422],
  },
  getMisuse: {
    tag: 'Console',
    summary:
      'Requests to confirm an address above the office’s daily limit, by channel, and how many sessions voters have',
    refusals: [401, 403, 404],
  },
  decideRequests: {
    tag: 'Console',
    summary: 'Send the requests that wait above the daily limit, or discard them',
    description:
      'Those up to `last_id`; what came later waits on. Today’s count starts from zero. Answers 409 when none of them waits any more. Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [400, 401, 403, 404, 409, 422],
  },
  endVoterSessions: {
    tag: 'Console',
    summary: 'Sign every voter of the office out at once',
    description:
      'After an incident. People at the console stay signed in. Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [401, 403, 404, 422],
  },
  listTexts: {
    tag: 'Console',
    summary: 'What the office worded itself, or all texts that match',
    refusals: [401, 403, 404, 400],
  },
  getText: {
    tag: 'Console',
    summary: 'A text in a language: its words, draft, translations and history',
    refusals: [400, 401, 403, 404],
  },
  saveDraft: {
    tag: 'Console',
    summary: 'Save a draft, which voters do not see',
    description:
      'Answers what pages may not contain and was removed, and 409 when somebody saved another draft meanwhile.',
    refusals: [401, 403, 404, 409, 422],
  },
  discardDraft: {
    tag: 'Console',
    summary: 'Discard a draft',
    refusals: [401, 403, 404, 409, 422],
  },
  publishDraft: {
    tag: 'Console',
    summary: 'Show voters the words of a draft',
    refusals: [401, 403, 404, 409, 422],
  },
  undoText: {
    tag: 'Console',
    summary: 'Show voters what they read before the last change of a text',
    refusals: [401, 403, 404, 409, 422],
  },
  reviewText: {
    tag: 'Console',
    summary: 'Say that a text was reviewed, by another person than its author',
    refusals: [400, 401, 403, 404, 409],
  },
  removeReleaseNote: {
    tag: 'Console',
    summary: 'Remove a release note',
    refusals: [400, 401, 403, 404],
  },
  previewText: {
    tag: 'Console',
    summary: 'A page of voters as it would be with the draft, without scripts',
    refusals: [400, 401, 403, 404],
  },
  listCodeElections: {
    tag: 'Console',
    summary: 'Elections whose QR codes can be made',
    refusals: [401, 403, 404],
  },
  createBallotCodes: {
    tag: 'Console',
    summary: 'The QR codes of an election’s ballots, or of one voter’s, as a table',
    description:
      'Ballots without a code get one; confidential voters’ are not among them. Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [401, 403, 404, 422],
  },
  createBallotSheet: {
    tag: 'Console',
    summary: 'The QR codes of ballots as a sheet to print',
    description: 'At most 1,000 codes. As `createBallotCodes`.',
    refusals: [401, 403, 404, 422],
  },
  createLetterCodes: {
    tag: 'Console',
    summary: 'Codes for letters to confidential voters, as a table',
    description:
      'They are shown once. Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [401, 403, 404, 422],
  },
  createLetterSheet: {
    tag: 'Console',
    summary: 'Codes for letters to confidential voters, as a sheet to print',
    description: 'As `createLetterCodes`.',
    refusals: [401, 403, 404, 422],
  },
  getToday: {
    tag: 'Console',
    summary: 'What needs a person now, and counts',
    refusals: [401, 403, 404],
  },
  listBallots: {
    tag: 'Console',
    summary: 'Ballots of an election by the status that voters see, newest first',
    description:
      'Each look is in the audit. Ballots of confidential voters are not among it. Ask for older ones with `before`, the `next` of the last answer.',
    refusals: [400, 401, 403, 404],
  },
  listFixes: {
    tag: 'Console',
    summary: 'Envelopes that voters can fix, least time left first',
    description: 'Each look is in the audit. Of a confidential voter it shows the voter ID alone.',
    refusals: [400, 401, 403, 404],
  },
  createFixLetters: {
    tag: 'Console',
    summary:
      'Letters to voters with an envelope to fix whom no message reaches, to print from a browser',
    description:
      'Each counts as printed and is not in the next file, unless `again` is true. Confidential voters are in no file. Answers 409 when no letter is needed, or the office has no phone number. Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [401, 403, 404, 409, 422],
  },
  getFixReport: {
    tag: 'Console',
    summary: 'Envelopes to fix: found, voters notified, links opened, fixed, expired',
    description:
      'Counts by day, defect, language or precinct. Confidential voters are not counted.',
    refusals: [400, 401, 403, 404],
  },
  getReport: {
    tag: 'Console',
    summary: 'A report’s first rows, and how many it has',
    description: 'Counts without confidential voters. Answers 422 for more than 400 days.',
    refusals: [400, 401, 403, 404, 422],
  },
  downloadReport: {
    tag: 'Console',
    summary: 'A whole report as CSV',
    refusals: [400, 401, 403, 404, 422],
  },
  downloadChart: {
    tag: 'Console',
    summary: 'An election’s ballots by status and day, as a picture',
    description: 'Answers 404 when the election has no ballots on these days.',
    refusals: [400, 401, 403, 404, 422],
  },
  downloadChartPng: {
    tag: 'Console',
    summary: 'The same picture as PNG, for slides',
    refusals: [400, 401, 403, 404, 422],
  },
  downloadChartPdf: {
    tag: 'Console',
    summary: 'The same picture as a page to print',
    refusals: [400, 401, 403, 404, 422],
  },
  listMessages: {
    tag: 'Console',
    summary: 'Messages of the office and what became of them, newest first',
    description:
      'Each look is in the audit. Messages to confidential voters are not among it. Ask for older ones with `before`, the `next` of the last answer.',
    refusals: [400, 401, 403, 404],
  },
  getMessage: {
    tag: 'Console',
    summary:
      'One message: its address, when it left, what the provider reported, and the text of its kind',
    description: 'Each look is in the audit. The text has invented values.',
    refusals: [400, 401, 403, 404],
  },
  getQueue: {
    tag: 'Console',
    summary: 'What waits to be sent, by sender, and when the last message leaves',
    refusals: [401, 403, 404],
  },
  listFiles: {
    tag: 'Console',
    summary: 'Imported files, newest first',
    description: 'Ask for older ones with `before`, the `next` of the last answer.',
    refusals: [400, 401, 403, 404],
  },
  getFile: {
    tag: 'Console',
    summary: 'One imported file: its report, why it waits, and who decided what',
    refusals: [400, 401, 403, 404],
  },
  releaseFile: {
    tag: 'Console',
    summary: 'Approve a file, or its messages, that wait',
    description:
      'By another person than the importer: 403 otherwise. Send `state` as it was read: once a file is loaded and its messages wait, an approval of the file is refused (409), and they go on waiting. A large file may still be loading when this answers (`state` is `loading`); ask `getFile` for the end. ' +
      'Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [400, 401, 403, 404, 409, 422],
  },
  returnFile: {
    tag: 'Console',
    summary: 'Return a file that waits: it is never loaded',
    description: 'Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [400, 401, 403, 404, 409, 422],
  },
  correctFile: {
    tag: 'Console',
    summary: 'Correct a wrong import',
    description:
      'Withdraws its messages, sends a correction to voters who already got one, and puts back what it changed. By another person than the importer. ' +
      'Needs a sign-in within five minutes, as `invitePerson` does.',
    refusals: [400, 401, 403, 404, 409, 422],
  },
  downloadRejects: {
    tag: 'Console',
    summary: 'The refused rows of an imported file, with line and reason, as CSV',
    refusals: [401, 403, 404],
  },
  listUploads: {
    tag: 'Console',
    summary:
      'Uploaded files that are not decided yet, and the formats and elections to choose from',
    refusals: [401, 403, 404],
  },
  startUpload: {
    tag: 'Console',
    summary: 'Announce a file that will come in pieces',
    description: 'Answers 409 when too many files of the office wait for a decision.',
    refusals: [401, 403, 404, 409, 422],
  },
  getUpload: {
    tag: 'Console',
    summary: 'How far a file has come: its pieces, its check, what it would do',
    description: 'Asking does not keep the session alive.',
    refusals: [401, 403, 404],
  },
  sendPiece: {
    tag: 'Console',
    summary: 'One piece of a file, as bytes',
    description:
      'Every piece has `piece_bytes` bytes, the last one the rest. The same piece again changes nothing. 409: the piece is here with other bytes, so it is another file. 429: too many pieces at once; send it again a little later.',
    refusals: [401, 403, 404, 409, 422],
  },
  checkUpload: {
    tag: 'Console',
    summary: 'Read a whole file and change nothing',
    description: 'Once every piece is here. The result is in `getUpload` as soon as it is known.',
    refusals: [401, 403, 404, 409, 422],
  },
  importUpload: {
    tag: 'Console',
    summary: 'Import a file that was checked, or ask a second person to approve it',
    description:
      'Only the person who uploaded it may. Another person decides on a file that waits.',
    refusals: [401, 403, 404, 409, 422],
  },
  deleteUpload: {
    tag: 'Console',
    summary: 'Delete a file that was not imported',
    refusals: [401, 403, 404, 409],
  },
  findVoters: {
    tag: 'Console',
    summary: 'Find voters by what a clerk knows of them',
    description: 'Each search is in the audit, without what was typed.',
    refusals: [401, 403, 404, 422],
  },
  getVoterRecord: {
    tag: 'Console',
    summary: 'What is on record about a voter',
    description: 'Each look is in the audit. Of a confidential voter there are no details.',
    refusals: [400, 401, 403, 404],
  },
  showVoterPage: {
    tag: 'Console',
    summary: "A voter's dashboard as the voter would see it now",
    description:
      'In the language that the voter chose, without scripts. Each look is in the audit. There is none of a confidential or inactive voter.',
    refusals: [400, 401, 403, 404],
  },
  sampleMessage: {
    tag: 'Console',
    summary: 'A message with the draft of one of its texts, as an invented voter would get it',
    description: 'A text message says in how many parts it is sent, and how many it may have.',
    refusals: [401, 403, 404, 422],
  },
  downloadTranslations: {
    tag: 'Console',
    summary: 'What the office wrote in English, for its translators, as XLIFF 1.2',
    description:
      'A unit for each text, with what the office has in this language beside it. Its state says whether that is missing (`needs-translation`), older than the English (`needs-adaptation`), not reviewed or `signed-off`.',
    refusals: [401, 403, 404, 422],
  },
  importTranslations: {
    tag: 'Console',
    summary: 'Make drafts of a file that translators sent back, as bytes',
    description:
      'XLIFF 1.2 of at most 4 MB. Voters see nothing of it before it is published. A text of which the office has no English, whose English changed since, or that lost a placeholder or tag is refused by itself; a file that cannot be read, or is in another language, is refused whole.',
    refusals: [400, 401, 403, 404, 422],
  },
  listImages: {
    tag: 'Console',
    summary: 'The office’s logo and photograph',
    refusals: [401, 403, 404],
  },
  replaceImage: {
    tag: 'Console',
    summary: 'Give the office another logo or photograph, as bytes',
    description:
      'PNG, JPEG, WebP or SVG: a logo of at most 256 kB, a photograph of at most 2 MB. An SVG is rewritten so that nothing in it runs or loads anything.',
    refusals: [400, 401, 403, 404, 422],
  },
  removeImage: {
    tag: 'Console',
    summary: 'Take the office’s logo or photograph away',
    refusals: [400, 401, 403, 404],
  },
  undoImage: {
    tag: 'Console',
    summary: 'Take the last change of the office’s logo or photograph back',
    description: 'Answers 409 when somebody changed it meanwhile, or more than 30 days ago.',
    refusals: [400, 401, 403, 404, 409, 422],
  },
  getAppearance: {
    tag: 'Console',
    summary: 'The color of the office and its outage notice, with their last changes',
    refusals: [401, 403, 404],
  },
  changeColor: {
    tag: 'Console',
    summary: 'Give the office’s page another color',
    description:
      'Made darker or lighter where that is needed to read it. Answers 409 when somebody changed it meanwhile.',
    refusals: [400, 401, 403, 404, 409, 422],
  },
  setOutage: {
    tag: 'Console',
    summary: 'Show, hide or reset the notice that many people are using the page',
    refusals: [400, 401, 403, 404, 422],
  },
  undoOutage: {
    tag: 'Console',
    summary: 'Take the last change of the outage notice back',
    description: 'Answers 409 when somebody changed it meanwhile.',
    refusals: [400, 401, 403, 404, 409, 422],
  },
  previewAppearance: {
    tag: 'Console',
    summary: 'A page of voters with another color or outage notice, without scripts',
    refusals: [401, 403, 404, 422],
  },
  unlockVoter: {
    tag: 'Console',
    summary: 'Let a voter sign in again after too many failed attempts',
    description: 'Deletes what is counted of failed sign-ins. On record.',
    refusals: [401, 403, 404, 422],
  },
  signVoterOut: {
    tag: 'Console',
    summary: 'Sign a voter out on every device',
    description: 'The next request of each session answers 401. On record.',
    refusals: [401, 403, 404, 422],
  },
  revokeLetterCode: {
    tag: 'Console',
    summary: "End a confidential voter's letter code, and the sessions that it started",
    description: 'On record. Another code can be made with a new letter.',
    refusals: [401, 403, 404, 422],
  },
  noteCall: {
    tag: 'Console',
    summary: 'Note what a voter asked on the phone',
    description:
      'In the record of the voter, for those who may look at it. The audit has who noted it, without the text.',
    refusals: [400, 401, 403, 404, 422],
  },
  sendVoterMessageAgain: {
    tag: 'Console',
    summary: 'Send a message about a ballot once more, for a voter who asks for it',
    description:
      'To the address confirmed today, by the rules and limits of the voter’s own page. Answers 404 for a message that is not the voter’s, and 409 when it cannot be sent again.',
    refusals: [400, 401, 403, 404, 409],
  },
};
