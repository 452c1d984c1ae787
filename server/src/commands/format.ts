import type { Command } from 'commander';
import { readSettings } from '../modules/accounts/index.ts';
import {
  checkFormat,
  describeFormat,
  FileRefused,
  type Format,
  type FormatCheck,
  findFormat,
  isDateField,
  listFormats,
  openSourceFile,
} from '../modules/imports/index.ts';
import { formatDate, localDay } from '../platform/clock.ts';
import { type CommandContext, CommandError, exitCodes, requireAccount } from './context.ts';

interface CheckOptions {
  readonly sample: string;
  readonly account?: string;
  readonly json?: true;
}

export function register(program: Command, context: CommandContext): void {
  const format = program.command('format').description('list, show and try file formats');

  format
    .command('list')
    .description('list the built-in formats')
    .action(async () => {
      for (const { name, title } of await listFormats()) context.print(`${name}\t${title}`);
    });

  format
    .command('show')
    .description('print what a format reads and what each status becomes, as Markdown')
    .argument('<format>', "a built-in format's name, or the path of a format file")
    .action(async (name: string) => context.print(describeFormat(await requireFormat(name))));

  format
    .command('check')
    .description('show column by column how a format reads a sample file; stores nothing')
    .argument('<format>', 'the path of a format file, or a built-in name')
    .requiredOption('--sample <file>', "an office's file, or the first lines of one")
    .option(
      '--account <subdomain>',
      'use the barcode settings and the limit of refused rows of this account',
    )
    .option('--json', 'as one JSON document')
    .action(async (name: string, options: CheckOptions) => {
      const found = await requireFormat(name);
      const { account: subdomain } = options;
      const account =
        subdomain === undefined
          ? undefined
          : await context.withDatabase((database) => requireAccount(database, subdomain));
      const settings = account?.settings ?? readSettings({});
      const today = localDay(context.clock.now(), account?.timeZone ?? 'UTC');
      const check = await openSourceFile(options.sample, '', found.sheet)
        .then((sample) => checkFormat(found, sample, today, settings.mail))
        .catch((error: unknown) => {
          throw error instanceof FileRefused ? new CommandError(error.message) : error;
        });
      if (options.json) context.printJson(check);
      else context.print(describeCheck(found, check));
      const limit = settings.import_limits.refused_percent;
      const problems = findProblems(check, limit);
      if (problems.length > 0) throw new CommandError(problems.join('\n'));
    });
}

/** Why files like the sample cannot be imported with the format as they are. */
function findProblems(check: FormatCheck, limitPercent: number): string[] {
  const problems: string[] = [];
  if (check.statuses.some(({ becomes }) => becomes === null))
    problems.push('The sample contains status values that the format does not know.');
  if (check.refused > (check.rows * limitPercent) / 100)
    problems.push(
      `Too many rows have errors (${check.refused} of ${check.rows}; limit ${limitPercent}%). The whole file would be rejected.`,
    );
  return problems;
}

/** @param name a built-in format's, or the path of a format file @throws {CommandError} */
export async function requireFormat(name: string): Promise<Format> {
  const found = await findFormat(name);
  if (found.ok) return found.format;
  const lines = found.problems.map(({ at, message }) => `\n  ${at}: ${message}`);
  throw new CommandError(`${found.message}${lines.join('')}`, exitCodes.usage);
}

function describeCheck(format: Format, check: FormatCheck): string {
  const lines = [`${format.name}: ${check.rows} rows read`, '', '  Columns'];
  const width = Math.max(...check.columns.map(({ column }) => column.length));
  for (const { column, becomes, looksLikeStatus, filled, examples } of check.columns) {
    const use =
      becomes ?? (looksLikeStatus ? 'NOT READ, BUT LOOKS LIKE A STATUS' : 'NOT KNOWN, ignored');
    const shown = examples.length === 0 ? 'not shown' : `e.g. ${examples.join(' · ')}`;
    const seen = filled === 0 ? 'always empty' : shown;
    lines.push(`    ${column.padEnd(width)}  ${use}; filled in ${filled}; ${seen}`);
  }
  lines.push('', '  Values as they are read');
  for (const { field, examples } of check.values)
    lines.push(
      `    ${field}: ${examples.map((one) => (isDateField(field) ? formatDate(one) : one)).join(' · ') || 'always empty'}`,
    );
  if (check.fileDate !== undefined)
    lines.push(
      '',
      `  The file's own date: ${check.fileDate === null ? 'none found' : formatDate(check.fileDate)}`,
      ...(check.dateProblems ?? []).map((problem) => `    ${problem}`),
    );
  if (check.missingForSignIn.length > 0)
    lines.push(
      '',
      `  NO VOTER OF THIS FILE CAN SIGN IN: it has no ${check.missingForSignIn.join(' and no ')}.`,
    );
  if (format.status) {
    lines.push('', '  Status values');
    for (const { value, count, becomes } of check.statuses) {
      lines.push(
        `    ${String(count).padStart(8)}  ${value || '(empty)'} → ${becomes ?? 'NOT KNOWN'}`,
      );
    }
  }
  if (check.refusals.length > 0) lines.push('', '  Rows that would be refused');
  for (const { reason, count, line } of check.refusals) {
    lines.push(`    ${String(count).padStart(8)}  ${reason} (first on line ${line})`);
  }
  return lines.join('\n');
}
