import type { CallName } from '@ballot-beacon/contract/calls';

export interface CallWords {
  readonly tag:
    | 'Session'
    | 'Voter'
    | 'Ballots'
    | 'Office'
    | 'Mailed links'
    | 'Messages'
    | 'Flags'
    | 'Console';
  readonly summary: string;
  readonly description?: string;
  /** Error statuses that a caller should expect, besides 429, 503 and 5xx, which any call can return. */
  readonly refusals: readonly (400 | 401 | 403 | 404 | 409 | 422)[];
}

/** What the contract's table of calls does not say itself; a call without a description does not compile. */
export const callWords: Readonly<Record<CallName, CallWords>> = {
  createSession: {
    tag: 'Session',
    summary: 'Sign a voter in',
    description:
      'Answers 401 with `error-code` 8888 (no such voter, or not this one), 8889 (several match: send the same body ' +
      'with `provided_voter_id`), 8890 (the office demands its security `token`: send the same body with it), 8891 (too many failures for this name: ' +
      'only a QR code, a `token` or an earlier device signs in), 9998 (solve a challenge of `work_level` and send the same body with it) or 9999 ' +
      '(the CAPTCHA was not solved). After 8889 and 8890 the same CAPTCHA solution is good once more. The session is in the cookie; `session_id` is only a handle.',
    refusals: [401, 422],
  },
  deleteSession: { tag: 'Session', summary: 'Sign out', refusals: [] },
  checkSession: {
    tag: 'Session',
    summary: 'Whether a session is alive: 200, or 403',
    refusals: [403],
  },
  updatePreferences: {
    tag: 'Voter',
    summary: 'Change contact preferences',
    description:
      'Send only what changes. An unknown field is refused. Phone numbers are of the United States. `*_do_not_contact_before` is the start of the allowed ' +
      "hours and `*_do_not_contact_after` their end, in the office's time zone.",
    refusals: [403, 422],
  },
  requestContactCode: {
    tag: 'Voter',
    summary: 'Send a code to one of the masked addresses',
    description:
      'For a session whose `hidden_contacts` lists the channel. The code is good for ten minutes, for this session, and until the next code or change.',
    refusals: [403, 404, 422],
  },
  proveContact: {
    tag: 'Voter',
    summary: 'Show and unlock the addresses with the code',
    description: 'Answers 422 for a wrong code; five tries end a code.',
    refusals: [403, 404, 422],
  },
  getVoterInformation: {
    tag: 'Voter',
    summary: 'The signed-in voter, with contact preferences',
    refusals: [403],
  },
  getBallotStatusProgress: {
    tag: 'Ballots',
    summary: 'Where the current mail ballots are',
    description:
      'Names and descriptions come in the language asked for. Dates are null where the office hides them.',
    refusals: [403],
  },
  getBallotCalendar: {
    tag: 'Ballots',
    summary: 'A deadline of a ballot as a calendar entry (RFC 5545)',
    description:
      'By when to return the ballot, or to fix its envelope. Answers 404 when the ballot is not one of this voter’s, or has no such deadline ahead.',
    refusals: [403, 404],
  },
  getNoBallotStatus: {
    tag: 'Ballots',
    summary: 'What to say when there is no current ballot',
    description: 'Answers 404 for a language that is not offered; ask for `english` then.',
    refusals: [404],
  },
  getArchiveBallots: {
    tag: 'Ballots',
    summary: 'Ballots of past elections',
    description: '`page_size=-1` asks for all.',
    refusals: [403, 422],
  },
  getDeliveryTypes: {
    tag: 'Voter',
    summary: 'The ways in which the office offers to tell voters',
    refusals: [403],
  },
  getBranding: {
    tag: 'Office',
    summary: 'The election office of this host',
    description: '`account_id` -1: no office is served at this host.',
    refusals: [],
  },
  getLanguageFile: {
    tag: 'Office',
    summary: 'The texts of one language',
    description: '`language` is a locale code such as `es_US`. Carries an ETag.',
    refusals: [404, 422],
  },
  getFaq: { tag: 'Office', summary: 'Frequently asked questions, as HTML', refusals: [404] },
  getReleaseNotes: { tag: 'Office', summary: 'Release notes, newest first', refusals: [422] },
  unsubscribe: {
    tag: 'Mailed links',
    summary: 'Remove an email address, from a mailed link',
    description: 'Needs no session: `key` proves that the link is ours.',
    refusals: [400, 422],
  },
  getOwnMessages: {
    tag: 'Messages',
    summary: 'Every message to the signed-in voter in the last 90 days, and every consent',
    description:
      'Addresses are partly hidden. `again` says whether a message can be sent once more, and why not.',
    refusals: [403],
  },
  sendMessageAgain: {
    tag: 'Messages',
    summary: 'Send a message about a ballot once more, to the address confirmed today',
    description:
      'Answers 404 for a message that is not the voter’s, and 409 when it cannot be sent again: its `detail` is the reason, in the words of `again`.',
    refusals: [403, 404, 409],
  },
  checkMessage: {
    tag: 'Messages',
    summary: 'Whether a message with this code is from the office of this host',
    description:
      'Letters may be small, and spaces and dashes do not count. Answers 404 for a code of no message of this office in the last 90 days. Codes that are not found are counted by network.',
    refusals: [404, 422],
  },
  getMessageOrigins: {
    tag: 'Messages',
    summary: 'From which addresses and numbers the office sent messages in the last 30 days',
    refusals: [],
  },
  getPerformance: {
    tag: 'Office',
    summary: 'How the office’s alerts and the site did in the last 7 and 90 days',
    description:
      'Counts are rounded down to tens, 1 to 9 are null, and shares of fewer than ten messages too. Counted at most once an hour, through yesterday. Answers 404 at a host of no office.',
    refusals: [404],
  },
  createQrSession: {
    tag: 'Mailed links',
    summary: "Sign in with the QR code of a ballot and its voter's birth date",
    description:
      'Needs a proof of work as `recaptcha` where the site asks for one, also where its form shows another CAPTCHA (ask for the challenge with `level`). ' +
      'Answers 401 with `error-code` 8891 (too many wrong birth dates for this code), 9998 (more work) or 9999 as the other way to sign in does.',
    refusals: [400, 401, 404, 422],
  },
  validateQrCode: {
    tag: 'Mailed links',
    summary: 'Whether a QR code is one of ours',
    refusals: [404],
  },
  getFlagClient: {
    tag: 'Flags',
    summary: 'The client id of an outside flag service, if the office uses one',
    refusals: [],
  },
  countView: {
    tag: 'Office',
    summary: 'Count a page view, without whose',
    refusals: [422],
  },
  getCaptchaChallenge: {
    tag: 'Session',
    summary: 'A proof-of-work challenge for the sign-in',
    description:
      'Solve it with altcha-lib and send base64 of the JSON `{challenge, solution}` as `recaptcha`.',
    refusals: [404],
  },
};
