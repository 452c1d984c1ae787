import { isRole, type Role, roleNames, roles } from '@ballot-beacon/contract/office/roles';
import { type Command, InvalidArgumentError } from 'commander';
import { originOf } from '../modules/notifications/index.ts';
import {
  changeRoles,
  invitationUrl,
  invite,
  listPersons,
  readmitPerson,
  removePerson,
} from '../modules/people/index.ts';
import { providerOf } from '../platform/identity-providers.ts';
import type { PersonId } from '../platform/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';
import { formatInstant } from './dates.ts';
import { someText } from './words.ts';

interface OfAccount {
  readonly account: string;
}

export function register(program: Command, context: CommandContext): void {
  const person = program
    .command('person')
    .description("the people who use an office's console, and their roles");
  person
    .command('invite')
    .description('create a link, good once and for 24 hours, with which a person joins')
    .requiredOption('--account <subdomain>', 'the office')
    .requiredOption('--name <name>', "the person's name", someText)
    .requiredOption('--role <role...>', `one or more of ${roleNames.join(', ')}`, collectRoles)
    .action(({ account: subdomain, name, role }: OfAccount & { name: string; role: Role[] }) =>
      context.withDatabase(async (database, config) => {
        const { accountId, name: office, timeZone } = await requireAccount(database, subdomain);
        const { token, expiresAt } = await invite(
          database.forOffice(accountId),
          accountId,
          { name, roles: role, by: context.operator },
          context.clock.now(),
        );
        context.print(
          `${name} is invited to ${office} as ${listRoles(role)}. Hand over this link; it works once, until ${formatInstant(expiresAt, timeZone)}:`,
        );
        context.print(invitationUrl(originOf(config, subdomain), token));
      }),
    );
  person
    .command('list')
    .description('list the people of an office and their roles')
    .requiredOption('--account <subdomain>', 'the office')
    .option('--json', 'as one JSON document')
    .action(({ account: subdomain, json }: OfAccount & { json?: true }) =>
      context.withDatabase(async (database) => {
        const { accountId, timeZone } = await requireAccount(database, subdomain);
        const people = await listPersons(database.forOffice(accountId));
        if (json) return context.printJson(people);
        if (people.length === 0)
          context.print(
            `Nobody uses the console of ${subdomain} yet. Invite the first: beacon person invite --account ${subdomain} --name NAME --role admin`,
          );
        for (const { personId, name, roles: given, lastSeenAt } of people)
          context.print(
            [
              personId,
              name,
              listRoles(given),
              lastSeenAt ? formatInstant(lastSeenAt, timeZone) : 'never',
            ].join('\t'),
          );
      }),
    );
  person
    .command('roles')
    .description('give a person these roles, and no others')
    .argument('<person>', 'the number, as beacon person list shows it', personNumber)
    .requiredOption('--account <subdomain>', 'the office')
    .requiredOption('--role <role...>', `one or more of ${roleNames.join(', ')}`, collectRoles)
    .action((personId: PersonId, { account, role }: OfAccount & { role: Role[] }) =>
      changeOne(context, account, personId, (database, change) =>
        changeRoles(database.forOffice(change.accountId), change, role),
      ),
    );
  person
    .command('remove')
    .description('remove a person from an office, signed out everywhere at once')
    .argument('<person>', 'the number, as beacon person list shows it', personNumber)
    .requiredOption('--account <subdomain>', 'the office')
    .action((personId: PersonId, { account }: OfAccount) =>
      changeOne(context, account, personId, (database, change) =>
        removePerson(database.forOffice(change.accountId), change, context.clock.now()),
      ),
    );
  person
    .command('readmit')
    .description('let a removed person in again, by the groups at the identity provider')
    .argument('<person>', 'the number, as the audit shows it', personNumber)
    .requiredOption('--account <subdomain>', 'the office')
    .action((personId: PersonId, { account }: OfAccount) =>
      changeOne(context, account, personId, (database, change) =>
        readmitPerson(database.forOffice(change.accountId), change),
      ),
    );
}

type ChangeTask = Parameters<typeof changeRoles>[1];

async function changeOne(
  context: CommandContext,
  subdomain: string,
  personId: PersonId,
  change: (database: Database, task: ChangeTask) => ReturnType<typeof changeRoles>,
): Promise<void> {
  await context.withDatabase(async (database, config) => {
    const { accountId } = await requireAccount(database, subdomain);
    const issuer = providerOf(config.identityProviders, subdomain)?.issuer;
    const outcome = await change(database, { accountId, personId, by: context.operator, issuer });
    if (outcome === 'unknown')
      throw new CommandError(
        `Person ${personId} is not in ${subdomain}. See: beacon person list --account ${subdomain}`,
      );
    if (outcome === 'by-groups')
      throw new CommandError(
        'The roles of this person come from groups at the identity provider. Change the groups there.',
      );
    if (outcome === 'last-admin')
      throw new CommandError(
        'This is the last administrator of the office. Make another person administrator first.',
      );
    context.print('Done.');
  });
}

function collectRoles(word: string, earlier: Role[] | undefined): Role[] {
  if (!isRole(word)) throw new InvalidArgumentError(`Use one of ${roleNames.join(', ')}.`);
  return [...new Set([...(earlier ?? []), word])];
}

function listRoles(given: readonly Role[]): string {
  return given.map((role) => roles[role].title).join(', ') || 'no role';
}

function personNumber(text: string): PersonId {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('Use the number of a person, from beacon person list.');
  return number as PersonId;
}
