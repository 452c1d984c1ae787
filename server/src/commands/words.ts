import { readFile } from 'node:fs/promises';
import { isLanguage, type Language, languageNames } from '@ballot-beacon/contract/languages';
import { longestText } from '@ballot-beacon/contract/office/words';
import { InvalidArgumentError } from 'commander';
import { listDroppedHtml, sanitizeOfficeHtml } from '../modules/texts/index.ts';
import type { Author } from '../modules/words/index.ts';
import type { AccountId } from '../platform/ids.ts';
import { decodeWritten } from '../platform/written-text.ts';
import { type CommandContext, CommandError } from './context.ts';

/** A language's name as an option's value. */
export function languageOption(text: string): Language {
  const language = text.toLowerCase();
  if (isLanguage(language)) return language;
  throw new InvalidArgumentError(`Use one of: ${languageNames.join(', ')}.`);
}

/** A file with text that an office wrote. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return decodeWritten(await readFile(path));
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'cannot be read';
    throw new CommandError(`${path} ${why}.`);
  }
}

/** How many to list, as an option's value. */
export function countOption(text: string): number {
  const count = Number(text);
  if (/^\d{1,9}$/.test(text) && count > 0) return count;
  throw new InvalidArgumentError('Use a whole number, 1 or more.');
}

/** A text as an option's value that must not be empty. */
export function someText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text.trim();
}

/** An office's HTML as it may be stored; names what that leaves out on standard error. @throws {CommandError} */
export function readOfficeHtml(context: CommandContext, html: string): string {
  if (html.length > longestText) {
    const [letters, most] = [html.length, longestText].map((n) => n.toLocaleString('en-US'));
    throw new CommandError(
      `This text is too long: it has ${letters} letters, and ${most} are the most.`,
    );
  }
  warnOfDropped(context, listDroppedHtml(html));
  return sanitizeOfficeHtml(html);
}

/** Names on standard error what of an office's HTML is not stored. */
export function warnOfDropped(context: CommandContext, dropped: readonly string[]): void {
  if (dropped.length > 0)
    context.writeError(`Removed, because pages may not contain it: ${dropped.join(', ')}.\n`);
}

/** Who changes an office's words by a command. */
export function authorOf({ operator, clock }: CommandContext, accountId: AccountId): Author {
  return { accountId, actor: operator, now: clock.now() };
}

/** `1 voter`, `2 voters` */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
