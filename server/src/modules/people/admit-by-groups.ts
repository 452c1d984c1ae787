import { mayDo, type Role } from '@ballot-beacon/contract/office/roles';
import type { PersonId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { AccountId } from '../accounts/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { actorOf } from './actors.ts';
import type { ProvenIdentity } from './identity-provider.ts';
import {
  findIdentity,
  insertPerson,
  lockPeople,
  type PersonRow,
  renamePerson,
  saveRoles,
  withdrawInvitationsBy,
} from './people-store.ts';
import { deleteSessionsOf } from './session-store.ts';

export type Admission =
  | { readonly ok: true; readonly personId: PersonId; readonly actor: Actor }
  /** `removed`: an administrator removed the person from this office. */
  | { readonly ok: false; readonly why: 'no-role' | 'removed' };

/**
 * Gives a person whom the identity provider has just proven the roles of the groups that it names now, and no others.
 * Who lost one is signed out everywhere; who lost all is refused.
 *
 * @param db bound to the account
 */
export function admitByGroups(
  db: Db,
  accountId: AccountId,
  identity: ProvenIdentity,
  roles: readonly Role[],
): Promise<Admission> {
  const actor = actorOf(identity);
  return db.transaction().execute(async (tx): Promise<Admission> => {
    await lockPeople(tx);
    const known = await findIdentity(tx, identity);
    if (known?.removedAt) return { ok: false, why: 'removed' };
    if (!known && roles.length === 0) return { ok: false, why: 'no-role' };
    const personId = known?.personId ?? (await insertPerson(tx, identity));
    if (known && known.name !== identity.name) await renamePerson(tx, personId, identity.name);
    await changeByGroups(tx, { personId, roles: known?.roles ?? [] }, roles);
    return roles.length === 0 ? { ok: false, why: 'no-role' } : { ok: true, personId, actor };
  });

  async function changeByGroups(
    tx: Db,
    { personId, roles: from }: Pick<PersonRow, 'personId' | 'roles'>,
    to: readonly Role[],
  ): Promise<void> {
    const lost = from.filter((role) => !to.includes(role));
    if (lost.length === 0 && to.length === from.length) return;
    await saveRoles(tx, personId, to);
    if (lost.length > 0) await deleteSessionsOf(tx, personId);
    if (!mayDo(to, 'people')) await withdrawInvitationsBy(tx, actor);
    await recordAudit(tx, accountId, {
      actor: 'system',
      action: from.length === 0 ? 'person.join-by-groups' : 'person.change-roles-by-groups',
      target: String(personId),
      details: { person: actor, from, to },
    });
  }
}
