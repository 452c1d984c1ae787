import { isDeepStrictEqual } from 'node:util';
import { mayDo, type Role } from '@ballot-beacon/contract/office/roles';
import type { PersonId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import type { AccountId } from '../accounts/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { actorOf, readActor } from './actors.ts';
import {
  findIdentity,
  findPerson,
  listPersons,
  lockPeople,
  markRemoved,
  restorePerson,
  saveRoles,
  withdrawInvitationsBy,
} from './people-store.ts';
import { passkeyIssuer } from './rules.ts';
import { deleteSessionsOf } from './session-store.ts';

/**
 * `by-groups`: the person's roles come from the identity provider, and change there. `changed`: they are no longer those
 * from which they were to be changed.
 */
export type PeopleChange = 'done' | 'unknown' | 'last-admin' | 'by-groups' | 'changed';

interface Change {
  readonly accountId: AccountId;
  readonly personId: PersonId;
  readonly by: Actor;
}

interface RoleChange extends Change {
  /** Of the office's identity provider; undefined where it has none. */
  readonly issuer: string | undefined;
}

/**
 * Gives a person these roles and no others. Who loses one is signed out everywhere.
 *
 * @param db bound to the account
 * @param from what the person had when the roles were chosen: else a role that somebody takes away meanwhile comes back
 */
export function changeRoles(
  db: Db,
  { accountId, personId, by, issuer }: RoleChange,
  roles: readonly Role[],
  from?: readonly Role[],
): Promise<PeopleChange> {
  return db.transaction().execute(async (tx) => {
    await lockPeopleFor(tx, by);
    const person = await findPerson(tx, personId);
    if (!person) return 'unknown';
    if (person.issuer !== passkeyIssuer) return 'by-groups';
    if (from && !isDeepStrictEqual(from.toSorted(), person.roles.toSorted())) return 'changed';
    if (!roles.includes('admin') && (await isLastAdmin(tx, personId, issuer))) return 'last-admin';
    await saveRoles(tx, personId, roles);
    if (person.roles.some((role) => !roles.includes(role))) await deleteSessionsOf(tx, personId);
    if (!mayDo(roles, 'people')) await withdrawInvitationsBy(tx, actorOf(person));
    await recordAudit(tx, accountId, {
      actor: by,
      action: 'person.change-roles',
      target: String(personId),
      details: { from: person.roles, to: roles },
    });
    return 'done';
  });
}

/** Removes a person from an office, signed out everywhere by the same commit. @param db bound to the account */
export function removePerson(
  db: Db,
  { accountId, personId, by, issuer }: RoleChange,
  now: Date,
): Promise<PeopleChange> {
  return db.transaction().execute(async (tx) => {
    await lockPeopleFor(tx, by);
    const person = await findPerson(tx, personId);
    if (!person) return 'unknown';
    if (await isLastAdmin(tx, personId, issuer)) return 'last-admin';
    await markRemoved(tx, personId, now);
    await withdrawInvitationsBy(tx, actorOf(person));
    await recordAudit(tx, accountId, {
      actor: by,
      action: 'person.remove',
      target: String(personId),
      details: { roles: person.roles },
    });
    return 'done';
  });
}

/**
 * Lets a person in again who was removed: by the groups at the identity provider, or by a new passkey. No role comes
 * back by itself. @param db bound to the account
 */
export function readmitPerson(
  db: Db,
  { accountId, personId, by }: Change,
): Promise<'done' | 'unknown'> {
  return db.transaction().execute(async (tx) => {
    await lockPeopleFor(tx, by);
    if (!(await restorePerson(tx, personId))) return 'unknown';
    await recordAudit(tx, accountId, {
      actor: by,
      action: 'person.readmit',
      target: String(personId),
    });
    return 'done';
  });
}

/**
 * Waits until no other transaction changes the office's people.
 *
 * @throws {ProblemError} where the person who is to change them was removed meanwhile, or may do so no more
 */
export async function lockPeopleFor(tx: Db, by: Actor): Promise<void> {
  await lockPeople(tx);
  const identity = readActor(by);
  if (!identity) return;
  const person = await findIdentity(tx, identity);
  if (!person || person.removedAt || !mayDo(person.roles, 'people'))
    throw problem(403, 'Your roles in this office do not allow this. Ask an administrator.');
}

/** Among those who can sign in: a person of a provider that the office had before no longer does. */
async function isLastAdmin(
  db: Db,
  personId: PersonId,
  issuer: string | undefined,
): Promise<boolean> {
  const admins = (await listPersons(db)).filter(
    (one) => one.roles.includes('admin') && [passkeyIssuer, issuer].includes(one.issuer),
  );
  return admins.length === 1 && admins[0]?.personId === personId;
}
