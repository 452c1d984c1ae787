import type { Command } from 'commander';
import { publishNote } from '../modules/words/index.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';
import { dateOption } from './dates.ts';
import { authorOf, readOfficeHtml, readTextFile, someText } from './words.ts';

interface NoteOptions {
  account: string;
  text?: string;
  file?: string;
  date?: Date;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('release-note')
    .description('release notes for signed-in voters')
    .command('add')
    .description('add a note')
    .requiredOption('--account <subdomain>', 'the account')
    .option('--text <html>', 'the text of the note', someText)
    .option('--file <path>', 'a file with the note as HTML')
    .option('--date <date>', 'publication date, such as 10/5/2026; otherwise now', noonOf)
    .action((options: NoteOptions) =>
      context.withDatabase(async (database) => {
        const { text, file } = options;
        if ((text === undefined) === (file === undefined)) {
          throw new CommandError('Use either --text or --file.', 2);
        }
        const { accountId } = await requireAccount(database, options.account);
        const html = readOfficeHtml(context, text ?? (await readTextFile(file ?? '')));
        if (html === '') throw new CommandError('The note contains no text to show.');
        const publishedAt = options.date ?? context.clock.now();
        const by = authorOf(context, accountId);
        const noteId = await database.transaction((tx) =>
          publishNote(tx, { ...by, now: publishedAt }, html),
        );
        context.print(`Release note ${noteId}: ${html}`);
      }),
    );
}

/** Noon in UTC is the same day in every zone of the United States. */
function noonOf(text: string): Date {
  return new Date(`${dateOption(text)}T12:00:00Z`);
}
