import { type Command, InvalidArgumentError } from 'commander';
import { exportAudit, isHead, listAudit, verifyAudit } from '../modules/audit/index.ts';
import { type CommandContext, CommandError, exitCodes, requireAccount } from './context.ts';
import { formatInstant } from './dates.ts';
import { countOption } from './words.ts';

interface AuditOptions {
  readonly account?: string;
  readonly site?: true;
  readonly limit: number;
  readonly json?: true;
}

export function register(program: Command, context: CommandContext): void {
  const audit = program
    .command('audit')
    .description('show who did what in an account, newest first')
    .option('--account <subdomain>', 'the account')
    .option('--site', 'what belongs to no account: attempts and findings about the whole site')
    .option('--limit <number>', 'how many entries', countOption, 200)
    .option('--json', 'as one JSON document')
    .action(async ({ account, site, limit, json }: AuditOptions) => {
      if ((account === undefined) === (site === undefined))
        throw new CommandError('Give either --account SUBDOMAIN or --site.', exitCodes.usage);
      await context.withDatabase(async (database) => {
        const office = account === undefined ? null : await requireAccount(database, account);
        const entries = await listAudit(database.system, office?.accountId, limit);
        if (json) {
          context.printJson(entries);
          return;
        }
        for (const { at, actor, action, target } of entries) {
          // The whole site has offices in several time zones.
          const when = formatInstant(at, office?.timeZone ?? 'UTC');
          context.print(`${when}\t${actor}\t${action}\t${target}`);
        }
      });
    });

  audit
    .command('verify')
    .description('check that nothing recorded was altered, removed or moved')
    .option('--head <position:hash>', 'a published head that you kept', publishedHead)
    .action(({ head }: { head?: string }) =>
      context.withDatabase(async (database) => {
        const result = await verifyAudit(database.system, head);
        if ('wrong' in result) throw new CommandError(result.wrong);
        context.print(`${result.entries} entries are as they were recorded. Head ${result.head}`);
      }),
    );

  audit
    .command('export')
    .description(
      'write the whole audit, to be checked elsewhere (docs/operations/incidents.md, The audit)',
    )
    .action(() =>
      context.withDatabase(async (database) => {
        for await (const line of exportAudit(database.system)) context.print(line);
      }),
    );
}

function publishedHead(text: string): string {
  if (isHead(text)) return text;
  throw new InvalidArgumentError(
    'It must be the position, a colon and the 64 digits of the hash, as audit.head in the log or /api/audit-head has them.',
  );
}
