import type { Command } from 'commander';
import type { CommandContext } from './context.ts';

interface Verb {
  /** The same as the verb's own file gives; here too, so that the list of verbs loads none of them. */
  readonly description: string;
  readonly load: () => Promise<{ register(program: Command, context: CommandContext): void }>;
}

/** Each verb's file, loaded only when it runs: all together take a second and a hundred megabytes. */
export const verbs: Readonly<Record<string, Verb>> = {
  account: {
    description: 'create, change and list election offices',
    load: () => import('./account.ts'),
  },
  alert: {
    description: "a notice in the office's own words, at the top of every page",
    load: () => import('./alert.ts'),
  },
  election: {
    description: 'create, change and list elections',
    load: () => import('./election.ts'),
  },
  import: {
    description:
      "import an office's file: all of it except refused rows, or nothing; exit status 3 if it waits for approval",
    load: () => import('./import.ts'),
  },
  watch: {
    description: "import the files that an office's exporter drops into a folder, until stopped",
    load: () => import('./watch.ts'),
  },
  imports: {
    description: 'list the imported and refused files, newest first',
    load: () => import('./imports.ts'),
  },
  imb: {
    description: "explain an envelope's Intelligent Mail barcode, and show whose ballot it is",
    load: () => import('./imb.ts'),
  },
  format: {
    description: 'list, show and try file formats',
    load: () => import('./format.ts'),
  },
  release: {
    description:
      'approve a file, or an import’s messages, that wait for approval; by a second person',
    load: () => import('./release.ts'),
  },
  correct: {
    description:
      'correct a wrong import: withdraw its messages, send a correction to voters who already got one, and put back what it changed',
    load: () => import('./correct.ts'),
  },
  discard: {
    description: 'discard a wrong file that waits for approval, and delete its copy',
    load: () => import('./discard.ts'),
  },
  cure: {
    description: 'how long voters have to fix a ballot envelope',
    load: () => import('./cure.ts'),
  },
  outbox: {
    description: 'list messages, newest first; with their text if the local provider sent them',
    load: () => import('./outbox.ts'),
  },
  sending: {
    description:
      'what waits to be sent, and the daily limits on what visitors can make an office send',
    load: () => import('./sending.ts'),
  },
  message: {
    description: 'preview the messages that voters get',
    load: () => import('./message.ts'),
  },
  audit: {
    description: 'show who did what in an account, newest first',
    load: () => import('./audit.ts'),
  },
  doctor: {
    description: 'say what is still unsafe about this installation; exit status 1 if anything is',
    load: () => import('./doctor.ts'),
  },
  migrate: {
    description: 'bring the database up to this version; in production nothing else does',
    load: () => import('./migrate.ts'),
  },
  restore: {
    description: 'after a backup was restored: what may be sent, and what has left before',
    load: () => import('./restore.ts'),
  },
  voter: {
    description: 'voters, for a clerk at the phone',
    load: () => import('./voter.ts'),
  },
  ballot: {
    description: 'ballots, for a clerk on the phone with a voter',
    load: () => import('./ballot.ts'),
  },
  person: {
    description: "the people who use an office's console, and their roles",
    load: () => import('./person.ts'),
  },
  login: {
    description:
      "sign in by the office's identity provider, or by your passkey at the console, to decide on files as yourself",
    load: () => import('./login.ts'),
  },
  logout: {
    description: 'sign out again after beacon login',
    load: () => import('./logout.ts'),
  },
  report: {
    description: 'counts without personal data: tables for a spreadsheet, and a chart',
    load: () => import('./report.ts'),
  },
  locale: {
    description: 'exchange texts with reviewers',
    load: () => import('./locale.ts'),
  },
  faq: {
    description: "set an office's FAQ or its address block",
    load: () => import('./faq.ts'),
  },
  flag: {
    description: 'turn parts of the page on and off',
    load: () => import('./flag.ts'),
  },
  'no-ballot': {
    description: 'the text for voters who have no current ballot',
    load: () => import('./no-ballot.ts'),
  },
  qr: {
    description: 'create the QR codes with which voters sign in: on ballots, or in letters',
    load: () => import('./qr.ts'),
  },
  'release-note': {
    description: 'release notes for signed-in voters',
    load: () => import('./release-note.ts'),
  },
  'scan-push': {
    description: "create the password with which USPS pushes an office's scans",
    load: () => import('./scan-push.ts'),
  },
  session: {
    description: 'signed-in voters',
    load: () => import('./session.ts'),
  },
  translation: {
    description: "an office's own wording instead of the product's",
    load: () => import('./translation.ts'),
  },
};
