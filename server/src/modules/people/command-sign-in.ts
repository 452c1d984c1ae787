import { setTimeout } from 'node:timers/promises';
import { codeOfCommandSession } from '@ballot-beacon/contract/office/people';
import { mayDo, type Role, roleNames } from '@ballot-beacon/contract/office/roles';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { providerOf } from '../../platform/identity-providers.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Account } from '../accounts/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { actorOf } from './actors.ts';
import { admitByGroups } from './admit-by-groups.ts';
import { type DeviceSignIn, startDeviceSignIn } from './identity-provider.ts';
import { hasProvenPeople } from './people-store.ts';
import {
  createSecretText,
  hashSecretText,
  proofEndsAt,
  rolesOfGroups,
  sessionMaximumMs,
} from './rules.ts';
import { deleteExpired, deleteSession, insertSession, useSession } from './session-store.ts';
import type { SignedInVisit } from './visits.ts';

/** A person who signed in at the command line. */
export interface CommandPerson {
  readonly name: string;
  /** As the audit names the person. */
  readonly actor: Actor;
  readonly roles: readonly Role[];
  /** Whether the person signed in within the last five minutes. */
  readonly isProven: boolean;
}

export type CommandSignIn =
  | {
      readonly ok: true;
      readonly person: CommandPerson;
      /** What later commands show; the database has only its hash. */
      readonly secret: string;
    }
  /** `no-provider`: people of this office sign in by passkeys alone. */
  | { readonly ok: false; readonly why: 'no-provider' | 'no-role' | 'removed' };

/**
 * Whether people of this office are proven, by an identity provider or by passkeys, so that a typed name decides nothing.
 *
 * @param db bound to the account
 */
export async function hasIdentities(db: Db, config: Config, subdomain: string): Promise<boolean> {
  return (
    providerOf(config.identityProviders, subdomain) !== undefined ||
    (await hasProvenPeople(
      db,
      roleNames.filter((role) => mayDo([role], 'release')),
    ))
  );
}

/** How long a person has to open the link, and how often the command looks whether that happened. */
const browserSignInMs = 10 * 60_000;
const lookEveryMs = 500;

/**
 * Signs a person in by the console in any browser, as offices without a provider do: a person who is signed in there by a
 * passkey confirms the code. The secret stays here; the link has its hash.
 *
 * @param db bound to the account
 * @param parts.show where to go, and the code that is shown there
 * @returns undefined when nobody confirmed it in time, or the person stopped waiting
 */
export async function signInByConsole(
  db: Db,
  origin: string,
  parts: {
    readonly clock: Clock;
    readonly signal: AbortSignal;
    show(at: { readonly address: string; readonly code: string }): void;
  },
): Promise<{ readonly person: CommandPerson; readonly secret: string } | undefined> {
  const { clock, signal, show } = parts;
  const secret = createSecretText();
  const hash = hashSecretText(secret).toString('hex');
  show({ address: `${origin}/office/command-login#${hash}`, code: codeOfCommandSession(hash) });
  const endsAt = clock.now().getTime() + browserSignInMs;
  while (!signal.aborted && clock.now().getTime() < endsAt) {
    const person = await findCommandSession(db, secret, clock.now());
    if (person) return { person, secret };
    await setTimeout(lookEveryMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

/**
 * Opens the session that {@link signInByConsole} waits for. It is proven for as long as the sign-in at the console is.
 *
 * @returns false where this session was opened before
 */
export async function openCommandSession(
  { db, account, now, session }: SignedInVisit,
  hash: string,
): Promise<boolean> {
  const { personId, actor, provenAt } = session;
  return db.transaction().execute(async (tx) => {
    await deleteExpired(tx, now);
    const isNew = await insertSession(tx, {
      ...{ hash: Buffer.from(hash, 'hex'), personId, now, provenAt },
      expiresAt: new Date(now.getTime() + sessionMaximumMs),
      usedBy: 'command-line',
    });
    if (isNew)
      await recordAudit(tx, account.accountId, {
        ...{ actor, action: 'command-session.create', target: String(personId) },
      });
    return isNew;
  });
}

/**
 * Signs a person in by the provider's page on any device.
 *
 * @param db bound to the account
 * @param parts.show says where to go, and which code to type there
 * @throws {SignInFailed}
 */
export async function signInByDevice(
  db: Db,
  account: Account,
  parts: {
    readonly config: Config;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    show(device: DeviceSignIn): void;
  },
): Promise<CommandSignIn> {
  const { config, clock, signal, show } = parts;
  const { accountId, subdomain } = account;
  const provider = providerOf(config.identityProviders, subdomain);
  if (!provider) return { ok: false, why: 'no-provider' };
  const device = await startDeviceSignIn(provider);
  show(device);
  const identity = await device.wait(clock.now, signal);
  const roles = rolesOfGroups(provider, subdomain, identity.groups);
  const admission = await admitByGroups(db, accountId, identity, roles);
  if (!admission.ok) return admission;
  const { personId, actor } = admission;
  const { name, provenAt } = identity;
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + sessionMaximumMs);
  const secret = createSecretText();
  const hash = hashSecretText(secret);
  await db.transaction().execute(async (tx) => {
    await deleteExpired(tx, now);
    await insertSession(tx, { hash, personId, now, provenAt, expiresAt, usedBy: 'command-line' });
    await recordAudit(tx, accountId, {
      actor,
      action: 'command-session.create',
      target: String(personId),
    });
  });
  return { ok: true, person: { name, actor, roles, isProven: true }, secret };
}

/** Whose secret this is, unless the session ended. @param db bound to the account */
export async function findCommandSession(
  db: Db,
  secret: string,
  now: Date,
): Promise<CommandPerson | undefined> {
  const use = { usedBy: 'command-line', isActivity: true } as const;
  const living = await useSession(db, hashSecretText(secret), now, use);
  if (!living) return undefined;
  const { name, roles } = living;
  return { name, roles, actor: actorOf(living), isProven: now < proofEndsAt(living) };
}

/** @param db bound to the account */
export function signOutOfCommands(db: Db, secret: string): Promise<void> {
  return deleteSession(db, hashSecretText(secret));
}
