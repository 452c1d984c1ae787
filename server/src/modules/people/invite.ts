import type { Role } from '@ballot-beacon/contract/office/roles';
import type { PersonId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { AccountId } from '../accounts/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { lockPeopleFor } from './change-people.ts';
import { insertInvitation } from './people-store.ts';
import { createSecretText, hashSecretText, invitationLifetimeMs } from './rules.ts';

/**
 * Creates an invitation to an office's console, good once and for 24 hours.
 *
 * @param db bound to the account
 * @param of.personId who gets back in with a new passkey; left out for a new person
 * @returns the secret of its link, which is stored nowhere
 */
export async function invite(
  db: Db,
  accountId: AccountId,
  of: {
    readonly name: string;
    readonly roles: readonly Role[];
    readonly personId?: PersonId;
    readonly by: Actor;
  },
  now: Date,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const { name, roles, personId = null, by } = of;
  const token = createSecretText();
  const expiresAt = new Date(now.getTime() + invitationLifetimeMs);
  const hash = hashSecretText(token);
  await db.transaction().execute(async (tx) => {
    // Else what is withdrawn with a person at this moment would leave this one.
    await lockPeopleFor(tx, by);
    await insertInvitation(tx, { hash, name, roles, personId, invitedBy: by, expiresAt });
    await recordAudit(tx, accountId, {
      actor: by,
      action: 'person.invite',
      target: personId === null ? name : String(personId),
      details: { roles },
    });
  });
  return { token, expiresAt };
}

/** Where an invitation is accepted. The secret stands behind the #, which browsers send to no server. */
export function invitationUrl(origin: string, token: string): string {
  return `${origin}/office/invitation#${token}`;
}
