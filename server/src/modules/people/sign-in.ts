import type { OfficeSession as SessionAnswer } from '@ballot-beacon/contract/office/people';
import { permissionsOf } from '@ballot-beacon/contract/office/roles';
import type { PersonId } from '../../platform/ids.ts';
import { problem } from '../../platform/problem.ts';
import { recordAudit } from '../audit/index.ts';
import { findPerson, type PersonRow } from './people-store.ts';
import {
  createSecretText,
  hashSecretText,
  idleTimeoutMs,
  passkeyIssuer,
  proofLifetimeMs,
  sessionMaximumMs,
} from './rules.ts';
import { deleteExpired, deleteSession, insertSession } from './session-store.ts';
import { actorOf, type OfficeCookies, type OfficeVisit } from './visits.ts';

/**
 * Opens a new session for somebody who just proved who it is, in place of the browser's earlier one.
 *
 * @returns the secret for the cookie, and the session as the page reads it
 * @throws {ProblemError} 403 for a person without a role in this office
 */
export async function openSession(
  { db, account, now, request }: OfficeVisit,
  cookies: OfficeCookies,
  personId: PersonId,
): Promise<{ readonly secret: string; readonly answer: SessionAnswer }> {
  const person = await findPerson(db, personId);
  if (!person || person.roles.length === 0)
    throw problem(403, 'You have no role in this office any more. Ask an administrator.');
  const secret = createSecretText();
  const expiresAt = new Date(now.getTime() + sessionMaximumMs);
  const previous = cookies.readHash(request);
  await db.transaction().execute(async (tx) => {
    if (previous) await deleteSession(tx, previous);
    await deleteExpired(tx, now);
    await insertSession(tx, { hash: hashSecretText(secret), personId, now, expiresAt });
    await recordAudit(tx, account.accountId, {
      actor: actorOf(person),
      action: 'office-session.create',
      target: String(personId),
    });
  });
  return { secret, answer: toAnswer(account, { ...person, createdAt: now, expiresAt }) };
}

export function toAnswer(
  account: OfficeVisit['account'],
  session: PersonRow & { readonly createdAt: Date; readonly expiresAt: Date },
): SessionAnswer {
  const { personId, name, roles, issuer, createdAt, expiresAt } = session;
  return {
    office: account.name,
    time_zone: account.timeZone,
    person_id: personId,
    name,
    roles: [...roles],
    permissions: permissionsOf(roles),
    method: methodOf(issuer),
    proof_ends_at: new Date(createdAt.getTime() + proofLifetimeMs).toISOString(),
    ends_at: expiresAt.toISOString(),
    idle_seconds: idleTimeoutMs / 1000,
  };
}

export function methodOf(issuer: string): 'passkey' | 'provider' {
  return issuer === passkeyIssuer ? 'passkey' : 'provider';
}
