import { type FlagKey, flagCatalog, flagKeys } from '@ballot-beacon/contract/flags';
import { Argument, type Command } from 'commander';
import {
  changeFlag,
  defineState,
  type FlagDefinition,
  findDefinitionProblem,
  readFlagDefinitions,
} from '../modules/flags/index.ts';
import { parseWrittenJson } from '../platform/written-json.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';
import { readTextFile } from './words.ts';

interface FlagOptions {
  account: string;
  definition?: string;
}

export function register(program: Command, context: CommandContext): void {
  const flag = program.command('flag').description('turn parts of the page on and off');

  flag
    .command('set')
    .description('set a flag for an office')
    .addArgument(new Argument('<key>', 'which flag').choices(flagKeys))
    .addArgument(new Argument('[value]', 'on, off, or default').choices(['on', 'off', 'default']))
    .requiredOption('--account <subdomain>', 'the account')
    .option(
      '--definition <path>',
      "a flag definition in flagd's format, with targeting, instead of a value",
    )
    .action((key: FlagKey, value: 'on' | 'off' | 'default' | undefined, options: FlagOptions) =>
      context.withDatabase(async (database) => {
        if ((value === undefined) === (options.definition === undefined)) {
          throw new CommandError('Use on, off or default, or --definition.', 2);
        }
        const { accountId } = await requireAccount(database, options.account);
        const definition =
          options.definition === undefined
            ? defineState(value ?? 'default')
            : readDefinition(await readTextFile(options.definition), options.definition);
        await database.transaction(async (tx) => {
          await changeFlag(tx, { accountId, actor: context.operator }, key, definition);
        });
        context.print(`${key}: ${value ?? 'as defined'}`);
      }),
    );

  flag
    .command('list')
    .description('list the flags and their settings in an office')
    .requiredOption('--account <subdomain>', 'the account')
    .option('--json', 'as one JSON document')
    .action((options: { account: string; json?: true }) =>
      context.withDatabase(async (database) => {
        const { accountId } = await requireAccount(database, options.account);
        const own = await readFlagDefinitions(database.forOffice(accountId));
        const flags = flagKeys.map((key) => ({
          key,
          ...flagCatalog[key],
          definition: own[key] ?? null,
        }));
        if (options.json) return context.printJson(flags);
        for (const { key, meaning, defaultValue, definition } of flags) {
          const state = definition ? JSON.stringify(definition) : `${defaultValue} (default)`;
          context.print(`${key}: ${state}. ${meaning}`);
        }
      }),
    );
}

function readDefinition(text: string, path: string): FlagDefinition {
  let definition: unknown;
  try {
    definition = parseWrittenJson(text);
  } catch (error) {
    throw new CommandError(`${path} ${(error as Error).message}.`);
  }
  if (typeof definition !== 'object' || definition === null) {
    throw new CommandError(`${path} must contain one flag definition, a JSON object.`);
  }
  const problem = findDefinitionProblem(definition as FlagDefinition);
  if (problem !== undefined) throw new CommandError(`${path} cannot be used: ${problem}`);
  return definition as FlagDefinition;
}
