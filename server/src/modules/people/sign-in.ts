import type { OfficeSession as SessionAnswer } from '@ballot-beacon/contract/office/people';
import { permissionsOf } from '@ballot-beacon/contract/office/roles';
import type { FastifyReply } from 'fastify';
import type { PersonId } from '../../platform/ids.ts';
import { problem } from '../../platform/problem.ts';
import { recordAudit } from '../audit/index.ts';
import { actorOf } from './actors.ts';
import { findPerson, type PersonRow } from './people-store.ts';
import {
  createSecretText,
  hashSecretText,
  idleTimeoutMs,
  passkeyIssuer,
  proofEndsAt,
  sessionMaximumMs,
} from './rules.ts';
import { deleteExpired, deleteSession, insertSession } from './session-store.ts';
import type { OfficeCookies, OfficeVisit } from './visits.ts';

/**
 * Opens a new session for somebody who just proved who it is, in place of the browser's earlier one.
 *
 * @param provenAt when the person proved it; null where the identity provider does not say
 * @returns the secret for the cookie, and the session as the page reads it
 * @throws {ProblemError} 403 for a person without a role in this office
 */
async function openSession(
  { db, account, now, request }: OfficeVisit,
  cookies: OfficeCookies,
  personId: PersonId,
  provenAt: Date | null,
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
    const hash = hashSecretText(secret);
    await insertSession(tx, { hash, personId, now, provenAt, expiresAt, usedBy: 'console' });
    await recordAudit(tx, account.accountId, {
      actor: actorOf(person),
      action: 'office-session.create',
      target: String(personId),
    });
  });
  return { secret, answer: toAnswer(account, { ...person, provenAt, expiresAt }) };
}

/** Opens a session as {@link openSession} does, and gives its cookie to the browser. */
export async function signIn(
  visit: OfficeVisit,
  cookies: OfficeCookies,
  reply: FastifyReply,
  person: { readonly personId: PersonId; readonly provenAt: Date | null },
): Promise<SessionAnswer> {
  const { secret, answer } = await openSession(visit, cookies, person.personId, person.provenAt);
  cookies.set(reply, visit.request, secret);
  return answer;
}

export function toAnswer(
  account: OfficeVisit['account'],
  session: PersonRow & { readonly provenAt: Date | null; readonly expiresAt: Date },
): SessionAnswer {
  const { personId, name, roles, issuer, expiresAt } = session;
  return {
    office: account.name,
    time_zone: account.timeZone,
    person_id: personId,
    name,
    roles: [...roles],
    permissions: permissionsOf(roles),
    method: methodOf(issuer),
    proof_ends_at: proofEndsAt(session).toISOString(),
    ends_at: expiresAt.toISOString(),
    idle_seconds: idleTimeoutMs / 1000,
  };
}

export function methodOf(issuer: string): 'passkey' | 'provider' {
  return issuer === passkeyIssuer ? 'passkey' : 'provider';
}
