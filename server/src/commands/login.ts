import { roles } from '@ballot-beacon/contract/office/roles';
import type { Command } from 'commander';
import type { Account } from '../modules/accounts/index.ts';
import { originOf } from '../modules/notifications/index.ts';
import {
  type CommandSignIn,
  SignInFailed,
  signInByConsole,
  signInByDevice,
} from '../modules/people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { providerOf } from '../platform/identity-providers.ts';
import type { Db } from '../platform/postgres.ts';
import { keepSession } from './command-sessions.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('login')
    .description(
      "sign in by the office's identity provider, or by your passkey at the console, to decide on files as yourself",
    )
    .requiredOption('--account <subdomain>', 'the office')
    .action(({ account: subdomain }: { account: string }) =>
      context.withDatabase(async (database, config) => {
        const account = await requireAccount(database, subdomain);
        const stopped = new AbortController();
        const stopListening = context.onInterrupt(() => stopped.abort());
        const db = database.forOffice(account.accountId);
        const waits = { config, clock: context.clock, signal: stopped.signal };
        const { person, secret } = await (providerOf(config.identityProviders, subdomain)
          ? askProvider(context, db, account, waits)
          : askConsole(context, db, account, waits)
        ).finally(stopListening);
        keepSession(context, subdomain, secret);
        context.print(
          `Signed in to ${account.name} as ${person.name} (${person.roles.map((role) => roles[role].title).join(', ')}). Decide within five minutes; after that, sign in again. To sign out: beacon logout --account ${subdomain}`,
        );
      }),
    );
}

interface Waits {
  readonly config: Config;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

async function askProvider(context: CommandContext, db: Db, account: Account, waits: Waits) {
  const signedIn = await signInByDevice(db, account, {
    ...waits,
    show: ({ userCode, address, completeAddress }) =>
      context.print(
        `Open ${completeAddress ?? address} in a browser, on this machine or another.\nSign in there, and confirm the code ${userCode}. Waiting …`,
      ),
  }).catch(explain);
  if (!signedIn.ok) throw new CommandError(refusals[signedIn.why]);
  return signedIn;
}

async function askConsole(context: CommandContext, db: Db, account: Account, waits: Waits) {
  const signedIn = await signInByConsole(db, originOf(waits.config, account.subdomain), {
    ...waits,
    show: ({ address, code }) =>
      context.print(
        `Open ${address} in a browser, on this machine or another.\nSign in there with your passkey, and confirm the code ${code}. Waiting …`,
      ),
  });
  if (!signedIn)
    throw new CommandError('Nobody confirmed the code. Run the command again when you are ready.');
  return signedIn;
}

const refusals: Readonly<Record<Extract<CommandSignIn, { ok: false }>['why'], string>> = {
  'no-provider':
    'This office has no identity provider here. Set OFFICE_PROVIDERS as where the console is served (docs/operations.md, Identity providers).',
  'no-role': 'The provider names no group of yours that has a role in this office.',
  removed:
    'You were removed from this office. An administrator can let you in again at the console, under People, or an operator: beacon person readmit',
};

function explain(error: unknown): never {
  if (!(error instanceof SignInFailed)) throw error;
  const { reason, code } = error;
  throw new CommandError(
    {
      unreachable: `The identity provider does not answer (${code}). Try again in a minute.`,
      denied: `The identity provider did not let you in (${code}).`,
      'not-asked': `The identity provider did not ask you to sign in (${code}).`,
      unusable: `The sign-in came to nothing (${code}). If the code has expired, run the command again.`,
    }[reason],
  );
}
