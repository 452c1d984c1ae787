/**
 * Every event the product logs, declared once: its level, its meaning, and the fields it may carry.
 *
 * No field may hold a voter's name, address, phone, email, birth date or voter ID, nor a text that could: operators
 * read these lines, and they are stored where voters' data must not be.
 */
export const logEvents = {
  'server.listening': { level: 'info', meaning: 'The API accepts requests.', fields: ['url'] },
  'server.stopping': {
    level: 'info',
    meaning: 'Asked to stop; accepted requests are finished.',
    fields: ['signal'],
  },
  'database.migrated': { level: 'info', meaning: 'Migrations were applied.', fields: ['count'] },
  'demo.loaded': {
    level: 'info',
    meaning: 'The invented counties were loaded.',
    fields: ['milliseconds'],
  },
  'web.built': {
    level: 'info',
    meaning: 'The page was built from its sources.',
    fields: ['milliseconds'],
  },
  'request.done': {
    level: 'debug',
    meaning: 'A request was answered.',
    fields: ['method', 'route', 'status', 'milliseconds', 'account'],
  },
  'request.failed': {
    level: 'error',
    meaning: 'A request met a bug or a broken part; err_id is what the visitor was shown.',
    fields: ['err_id', 'method', 'route', 'code', 'stack', 'account'],
  },
  'audit.head': {
    level: 'info',
    meaning:
      "The day's head of the audit's chain; keep it, to tell later whether the past was changed.",
    fields: ['position', 'hash'],
  },
  'database.lost': {
    level: 'error',
    meaning: 'The private database died; it is started again.',
    fields: [],
  },
  'database.restored': {
    level: 'warn',
    meaning: 'The private database runs again.',
    fields: [],
  },
  'security.event': {
    level: 'warn',
    meaning:
      'Somebody tried something against the site; network is a keyed hash of where from. Or `beacon doctor` found something unsafe: kind doctor-finding, target is its id.',
    fields: ['kind', 'network', 'account', 'target', 'count'],
  },
  'flags.unavailable': {
    level: 'warn',
    meaning: 'Flags could not be read; defaults serve.',
    fields: ['code'],
  },
  'captcha.unavailable': {
    level: 'error',
    meaning: 'The CAPTCHA service did not answer, or not about the visitor: see the office’s keys.',
    fields: ['code'],
  },
  'worker.started': { level: 'info', meaning: 'The worker takes jobs.', fields: [] },
  'worker.stopped': { level: 'info', meaning: 'The worker finished what it had.', fields: [] },
  'sign-in.failed': {
    level: 'warn',
    meaning:
      'A sign-in to the console by the identity provider came to nothing; code is of OpenID Connect or of its library.',
    fields: ['account', 'code'],
  },
  'job.failed': {
    level: 'error',
    meaning: 'A job failed and will be tried again.',
    fields: ['job', 'attempt', 'code', 'stack'],
  },
  'provider.failed': {
    level: 'warn',
    meaning: 'A message provider refused or did not answer.',
    fields: ['provider', 'channel', 'outcome', 'code'],
  },
  'provider.demoted': {
    level: 'warn',
    meaning: 'A provider takes a smaller share for a while.',
    fields: ['provider', 'share'],
  },
  'sending.refused': {
    level: 'error',
    meaning:
      'Nothing is sent, because this database is a copy of the database that sends: see beacon restore.',
    fields: ['channel'],
  },
  'messages.discarded': {
    level: 'info',
    meaning: 'Messages older than their account keeps them were deleted.',
    fields: ['count'],
  },
  'notes.discarded': {
    level: 'info',
    meaning: 'Notes of calls older than their account keeps messages were deleted.',
    fields: ['count'],
  },
  'election.discarded': {
    level: 'info',
    meaning:
      'An election whose time is over by its account’s rule was taken from everybody’s sight.',
    fields: ['account', 'election'],
  },
  'election.kept': {
    level: 'warn',
    meaning:
      'An election whose time is over could not be discarded, mostly because messages about it wait; it is tried again the next night.',
    fields: ['account', 'election', 'code'],
  },
  'election.deleted': {
    level: 'info',
    meaning:
      'The rows of a discarded election are deleted; election is its number in the database.',
    fields: ['election'],
  },
  'reminders.made': {
    level: 'info',
    meaning: 'Reminders of envelopes to fix were made for an office.',
    fields: ['account', 'count'],
  },
  'reminders.waiting': {
    level: 'warn',
    meaning:
      'Reminders wait, because the newest ballot file of the office is too old to know who has fixed the envelope.',
    fields: ['account', 'count'],
  },
  'stopped-mail.noticed': {
    level: 'warn',
    meaning:
      'Many envelopes of an office stopped at one facility, or at once; its people find them under Today.',
    fields: ['account', 'count'],
  },
  'stopped-mail.messages': {
    level: 'info',
    meaning: 'Messages about envelopes that stopped in the mail were made for an office.',
    fields: ['account', 'count'],
  },
  'estimates.settled': {
    level: 'info',
    meaning:
      'A day ended on which ballots were expected; those of which nothing else came count as likely delivered.',
    fields: ['count'],
  },
  'tokens.strengthened': {
    level: 'info',
    meaning: 'Security tokens that imports brought are stored by a hash at full cost now.',
    fields: ['count'],
  },
  'watch.started': {
    level: 'info',
    meaning: "An office's folder is watched.",
    fields: ['account'],
  },
  'watch.stopped': { level: 'info', meaning: 'The file at hand is finished.', fields: ['account'] },
  'watch.waiting': {
    level: 'warn',
    meaning: 'The database, a disk or the folder is away; files wait where they are.',
    fields: ['account', 'code'],
  },
  'watch.unusable': {
    level: 'warn',
    meaning:
      "An office's folder cannot be watched: no account has its name, or it belongs to another. It is tried again; the others go on.",
    fields: ['account', 'code'],
  },
  'watch.passed-over': {
    level: 'warn',
    meaning:
      'Something in the folder is not a file of its own, but a link or a pipe; it stays there.',
    fields: ['account', 'what'],
  },
  'watch.refused': {
    level: 'warn',
    meaning: 'A file is no file of the office, or cannot be read; see failed/.',
    fields: ['account'],
  },
  'watch.changed': {
    level: 'warn',
    meaning: 'A file was still being written; it is read once more.',
    fields: ['account'],
  },
  'watch.failed': {
    level: 'error',
    meaning: 'A file met a bug; it is in failed/, and the others go on.',
    fields: ['account', 'code', 'stack'],
  },
  'images.discarded': {
    level: 'info',
    meaning: 'Images that offices replaced more than 30 days ago were deleted.',
    fields: ['count'],
  },
  'import.finished': {
    level: 'info',
    meaning: 'A file is wholly in, or wholly out.',
    fields: ['account', 'import', 'format', 'state', 'rows', 'refused', 'milliseconds'],
  },
  'imports.expired': {
    level: 'info',
    meaning:
      'What imports left was deleted at the end of its time: waiting files, files of refused rows, replaced rows.',
    fields: ['waiting', 'files', 'replaced'],
  },
} as const satisfies Record<string, LogEventFacts>;

interface LogEventFacts {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly meaning: string;
  readonly fields: readonly string[];
}

export type LogEvent = keyof typeof logEvents;

declare const plain: unique symbol;
/** A text that is known to be free of voters' data; see `plainText`. */
export type PlainText = string & { readonly [plain]: true };

/**
 * The fields of an event, each a number, a literal or a {@link PlainText}: a text that is only known when the program
 * runs could be anybody's name, so it does not compile.
 */
export type LogFields<Event extends LogEvent, Fields> = {
  readonly [Name in keyof Fields]: Name extends (typeof logEvents)[Event]['fields'][number]
    ? Loggable<Fields[Name]>
    : never;
};

type Loggable<Value> = Value extends number | null | undefined | PlainText
  ? Value
  : Value extends string
    ? // Of a literal, `{}` lacks the key; of `string` and of a template with a hole it does not.
      Record<never, never> extends Record<Value, unknown>
      ? never
      : Value
    : never;
