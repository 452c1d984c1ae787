import type { Config } from '../../platform/config.ts';
import { providerOf } from '../../platform/identity-providers.ts';
import type { PersonId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { type ProblemError, problem } from '../../platform/problem.ts';
import { type Account, findAccount } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { actorOf } from './actors.ts';
import { changeRoles, type PeopleChange, readmitPerson, removePerson } from './change-people.ts';
import { openCommandSession } from './command-sign-in.ts';
import { invitationUrl, invite } from './invite.ts';
import { deletePasskeysOf, insertPasskey } from './passkey-store.ts';
import { offerPasskey, offerSignIn, readPasskey, readSignIn } from './passkeys.ts';
import {
  findInvitation,
  findPerson,
  type InvitationRow,
  insertPerson,
  listInvitations,
  listPersons,
  listRemoved,
  saveRoles,
  takeInvitation,
} from './people-store.ts';
import { findSignOut, registerProviderSignIn } from './provider-routes.ts';
import { type RefusalParts, refuse } from './refusals.ts';
import { hashSecretText, passkeyIssuer } from './rules.ts';
import { deleteSession, deleteSessionsOf } from './session-store.ts';
import { methodOf, signIn, toAnswer } from './sign-in.ts';
import type { OfficeApi, OfficeCookies, OfficeVisit } from './visits.ts';

export interface PeopleRoutesParts extends RefusalParts {
  readonly config: Config;
  readonly cookies: OfficeCookies;
  readonly log: Log;
}

/** Signing in to an office's console, invitations to it, and the people who may use it. */
export function registerPeopleRoutes(api: OfficeApi, parts: PeopleRoutesParts): void {
  registerSignIn(api, parts);
  registerProviderSignIn(api, parts);
  registerCommandSessions(api);
  registerInvitations(api, parts);
  registerPeople(api, parts);
}

function registerSignIn(api: OfficeApi, parts: PeopleRoutesParts): void {
  const { cookies } = parts;
  api.answer('getOfficeOptions', async ({ account }) => ({
    office: account.name,
    provider: providerOf(parts.config.identityProviders, account.subdomain)?.name ?? null,
  }));

  api.answer('startPasskeySignIn', (visit) => offerSignIn(visit, parts));

  api.answer('createOfficeSession', async (visit, { body, reply }) => {
    const personId = await readSignIn(visit, parts, body.passkey);
    if (personId === undefined)
      throw await refuse(
        visit,
        parts,
        problem(401, 'This passkey is not known here. Use another one, or ask an administrator.'),
      );
    return signIn(visit, cookies, reply, { personId, provenAt: visit.now });
  });

  api.answer(
    'getOfficeSession',
    // Read anew: who has just changed the office's name or time zone asks before this process knows of it.
    async ({ db, account, session }) =>
      toAnswer((await findAccount(db, account.accountId)) ?? account, session),
  );

  api.answer('deleteOfficeSession', async (visit, { reply }) => {
    const { request, account, db, session } = visit;
    const hash = cookies.readHash(request);
    if (session && hash) {
      await deleteSession(db, hash);
      await recordAudit(db, account.accountId, {
        actor: session.actor,
        action: 'office-session.delete',
        target: String(session.personId),
      });
    }
    cookies.clear(reply, request);
    return { provider_sign_out: session ? await findSignOut(visit, parts.config) : null };
  });
}

function registerCommandSessions(api: OfficeApi): void {
  api.answer('createCommandSession', async (visit, { body }) => {
    if (!(await openCommandSession(visit, body.hash)))
      throw problem(409, 'This link was used. Run the command again.');
    return undefined;
  });
}

function registerInvitations(api: OfficeApi, parts: PeopleRoutesParts): void {
  const { cookies } = parts;

  api.answer('readInvitation', async (visit, { body }) => {
    const { invitation } = await requireInvitation(visit, parts, body.token);
    const { name, roles, expiresAt } = invitation;
    const office = visit.account.name;
    return { office, name, roles: [...roles], ends_at: expiresAt.toISOString() };
  });

  api.answer('startInvitation', async (visit, { body }) => {
    const { hash, invitation } = await requireInvitation(visit, parts, body.token);
    const subject = await subjectOf(visit, hash, invitation);
    return offerPasskey(visit, parts, { name: invitation.name, subject, invitation: hash });
  });

  api.answer('acceptInvitation', async (visit, { body, reply }) => {
    const { hash, invitation } = await requireInvitation(visit, parts, body.token);
    const passkey = await readPasskey(visit, parts, hash, body.passkey);
    if (!passkey) throw await refuse(visit, parts, problem(401, 'The passkey was not accepted.'));
    const subject = await subjectOf(visit, hash, invitation);
    const { account, now } = visit;
    const personId = await visit.db.transaction().execute(async (tx) => {
      const taken = await takeInvitation(tx, hash, now);
      if (!taken) throw goneInvitation();
      const identity = { issuer: passkeyIssuer, subject };
      const { name, roles, personId: known } = taken;
      const accepted = known ?? (await insertPerson(tx, { ...identity, name }));
      if (known === null) await saveRoles(tx, accepted, roles);
      else {
        await deletePasskeysOf(tx, known);
        await deleteSessionsOf(tx, known);
      }
      await insertPasskey(tx, { ...passkey, personId: accepted });
      await recordAudit(tx, account.accountId, {
        actor: actorOf(identity),
        action: 'person.accept-invitation',
        target: String(accepted),
        details: { invited_by: taken.invitedBy },
      });
      return accepted;
    });
    return signIn(visit, cookies, reply, { personId, provenAt: now });
  });
}

function registerPeople(api: OfficeApi, parts: PeopleRoutesParts): void {
  const issuerOf = ({ subdomain }: Account) =>
    providerOf(parts.config.identityProviders, subdomain)?.issuer;
  api.answer('listPeople', async ({ db, now }) => {
    const people = await listPersons(db);
    return {
      people: people.map(({ personId, name, roles, issuer, passkeys, lastSeenAt }) => ({
        person_id: personId,
        name,
        roles: [...roles],
        method: methodOf(issuer),
        passkeys,
        last_seen_at: lastSeenAt?.toISOString() ?? null,
      })),
      invitations: (await listInvitations(db, now)).map(({ name, roles, expiresAt }) => ({
        name,
        roles: [...roles],
        ends_at: expiresAt.toISOString(),
      })),
      removed: (await listRemoved(db)).map(({ personId, name, issuer, removedAt }) => ({
        ...{ person_id: personId, name, method: methodOf(issuer) },
        removed_at: removedAt.toISOString(),
      })),
    };
  });

  api.answer('invitePerson', async (visit, { body }) => {
    const { db, account, session, now } = visit;
    const { name, roles } = body;
    const invited = await invite(db, account.accountId, { name, roles, by: session.actor }, now);
    return showInvitation(visit, invited);
  });

  api.answer('reinvitePerson', async (visit, { params }) => {
    const { db, account, session, now } = visit;
    const personId = params.person_id as PersonId;
    const person = await findPerson(db, personId);
    if (!person) throw unknownPerson();
    if (person.issuer !== passkeyIssuer)
      throw problem(409, 'This person signs in with the identity provider. Help is there.');
    const { name, roles } = person;
    const invitation = { name, roles, personId, by: session.actor };
    return showInvitation(visit, await invite(db, account.accountId, invitation, now));
  });

  api.answer('changeRoles', async ({ db, account, session }, { params, body }) => {
    const personId = params.person_id as PersonId;
    const issuer = issuerOf(account);
    const change = { accountId: account.accountId, personId, by: session.actor, issuer };
    explainChange(await changeRoles(db, change, body.roles, body.from));
    return undefined;
  });

  api.answer('removePerson', async ({ db, account, session, now }, { params }) => {
    const personId = params.person_id as PersonId;
    const issuer = issuerOf(account);
    const change = { accountId: account.accountId, personId, by: session.actor, issuer };
    explainChange(await removePerson(db, change, now));
    return undefined;
  });

  api.answer('readmitPerson', async ({ db, account, session }, { params }) => {
    const personId = params.person_id as PersonId;
    const change = { accountId: account.accountId, personId, by: session.actor };
    explainChange(await readmitPerson(db, change));
    return undefined;
  });

  function showInvitation(
    { request }: OfficeVisit,
    { token, expiresAt }: { token: string; expiresAt: Date },
  ) {
    const scheme = parts.config.publicUrl?.protocol ?? `${request.protocol}:`;
    const url = invitationUrl(`${scheme}//${request.headers.host}`, token);
    return { url, ends_at: expiresAt.toISOString() };
  }
}

async function requireInvitation(
  visit: OfficeVisit,
  parts: PeopleRoutesParts,
  token: string,
): Promise<{ readonly hash: Buffer; readonly invitation: InvitationRow }> {
  const hash = hashSecretText(token);
  const invitation = await findInvitation(visit.db, hash, visit.now);
  if (!invitation) throw await refuse(visit, parts, goneInvitation());
  return { hash, invitation };
}

/** A new person's subject comes from the invitation, so that both steps of accepting it agree on it. */
async function subjectOf(
  { db }: OfficeVisit,
  hash: Buffer,
  { personId }: InvitationRow,
): Promise<string> {
  const known = personId === null ? undefined : await findPerson(db, personId);
  return known?.subject ?? hash.toString('base64url');
}

function goneInvitation(): ProblemError {
  return problem(
    404,
    'This invitation was used, has expired, or is for another office. Ask an administrator for a new one.',
  );
}

function explainChange(outcome: PeopleChange): void {
  if (outcome === 'unknown') throw unknownPerson();
  if (outcome === 'changed')
    throw problem(409, 'Somebody changed the roles of this person meanwhile. Look at them again.');
  if (outcome === 'by-groups')
    throw problem(
      409,
      'The roles of this person come from groups at the identity provider. Change the groups there; they count at the next sign-in.',
    );
  if (outcome === 'last-admin')
    throw problem(
      409,
      'This is the office’s last administrator. Make another person administrator first.',
    );
}

function unknownPerson(): ProblemError {
  return problem(404, 'This person does not work in this office any more.');
}
