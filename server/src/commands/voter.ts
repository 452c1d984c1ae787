import type { Command } from 'commander';
import { recordAudit } from '../modules/audit/index.ts';
import { readFullRecords } from '../modules/ballots/index.ts';
import { readContactHistory } from '../modules/notifications/index.ts';
import { nameActors } from '../modules/people/index.ts';
import { toSavedPreferences } from '../modules/preferences/index.ts';
import { revokeLetterCode, unlockVoter } from '../modules/sessions/index.ts';
import { readNotes, shownMessages, shownNotes } from '../modules/voter-records/index.ts';
import { readRollEntry } from '../modules/voters/index.ts';
import { loadSecrets } from '../platform/secrets.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';
import { describeBallots, describeNotes, describeVoter } from './describe-voter.ts';
import { describeMatches, findVoterOrMatches, requireVoterId } from './find-voter.ts';

export function register(program: Command, context: CommandContext): void {
  const voter = program.command('voter').description('voters, for a clerk at the phone');
  voter
    .command('unlock')
    .description('let a voter sign in again after too many failed attempts; audited')
    .argument('<registration-id>', "the office's voter ID")
    .requiredOption('--account <subdomain>', 'whose voter')
    .action((registrationId: string, options: { account: string }) =>
      context.withDatabase(async (database, config) => {
        const account = await requireAccount(database, options.account);
        const { accountId } = account;
        const voterId = await requireVoterId(database, account, registrationId);
        await recordAudit(database.system, accountId, {
          actor: context.operator,
          action: 'voter.unlock',
          target: String(voterId),
        });
        const secrets = loadSecrets(config);
        const { counters } = await unlockVoter(database.system, secrets, voterId);
        context.print(
          counters === 0
            ? `Voter ${registrationId} was not locked. No failed attempts are on record.`
            : `Voter ${registrationId} can sign in again. The failed attempts were deleted.`,
        );
      }),
    );
  voter
    .command('revoke-letter')
    .description(
      "end a confidential voter's letter code, and the sessions that it started; audited",
    )
    .argument('<registration-id>', "the office's voter ID")
    .requiredOption('--account <subdomain>', 'whose voter')
    .action((registrationId: string, options: { account: string }) =>
      context.withDatabase(async (database) => {
        const account = await requireAccount(database, options.account);
        const voterId = await requireVoterId(database, account, registrationId);
        await recordAudit(database.system, account.accountId, {
          actor: context.operator,
          action: 'letter-code.revoke',
          target: String(voterId),
        });
        const isRevoked = await revokeLetterCode(database.system, voterId);
        context.print(
          isRevoked
            ? `The letter code of voter ${registrationId} no longer works. beacon qr --letters --voter ${registrationId} makes another.`
            : `Voter ${registrationId} has no letter code.`,
        );
      }),
    );
  voter
    .command('show')
    .description(
      'everything on record about a voter: voter roll, choices, consents, messages, ballots; recorded in the audit log',
    )
    .argument(
      '<search...>',
      "the office's voter ID, or a name, birth date, phone number or email address; several narrow it down",
    )
    .requiredOption('--account <subdomain>', 'the account')
    .option('--json', 'as one JSON document')
    .action((search: string[], options: { account: string; json?: true }) =>
      context.withDatabase(async (database) => {
        const account = await requireAccount(database, options.account);
        const { accountId, timeZone } = account;
        const voterId = await findVoterOrMatches(context, database, account, search.join(' '));
        if (typeof voterId === 'object') {
          if (options.json) context.printJson(voterId);
          else context.print(describeMatches(voterId, options.account));
          return;
        }
        const db = database.forOffice(accountId);
        const entry = await readRollEntry(db, voterId);
        if (!entry) throw new CommandError('This voter was just removed from the roll.');
        // Recorded before anything is shown.
        await recordAudit(database.system, accountId, {
          actor: context.operator,
          action: 'voter.show',
          target: String(voterId),
        });
        const ballots = await readFullRecords(db, { voterId }, timeZone);
        if (entry.is_confidential) {
          const { registration_id, is_active, is_confidential } = entry;
          if (options.json) {
            const voter = { registration_id, is_active, is_confidential };
            return context.printJson({ voter, ballots });
          }
          context.print(
            `Voter ${registration_id} is confidential. Look up the details in the office's own system.`,
          );
        } else {
          const history = await readContactHistory(db, voterId, shownMessages);
          const notes = await readNotes(db, voterId, shownNotes);
          const { contacts, ...voter } = entry;
          const preferences = contacts && toSavedPreferences(contacts);
          if (options.json)
            return context.printJson({ voter, preferences, ...history, notes, ballots });
          for (const line of describeVoter(entry, history, timeZone)) context.print(line);
          const nameOf = await nameActors(
            db,
            notes.map(({ noted_by }) => noted_by),
          );
          for (const line of describeNotes(notes, nameOf, timeZone)) context.print(line);
        }
        context.print(describeBallots(ballots, timeZone));
      }),
    );
}
