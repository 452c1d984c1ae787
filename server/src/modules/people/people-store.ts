import type { Role } from '@ballot-beacon/contract/office/roles';
import { sql } from 'kysely';
import type { PersonId } from '../../platform/ids.ts';
import type { Db, Tx } from '../../platform/postgres.ts';
import { passkeyIssuer } from './rules.ts';

/** Whom an issuer says somebody is. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

export interface PersonRow extends Identity {
  readonly personId: PersonId;
  readonly name: string;
  readonly roles: readonly Role[];
}

const rolesOf = sql`array(
  select r.role from person_roles r where r.person_id = p.person_id order by r.role)`;

/** Everybody who has not been removed, by name. @param db bound to the account */
export async function listPersons(
  db: Db,
): Promise<(PersonRow & { readonly passkeys: number; readonly lastSeenAt: Date | null })[]> {
  const { rows } = await sql<PersonRow & { passkeys: number; lastSeenAt: Date | null }>`
    select p.person_id as "personId", p.issuer, p.subject, p.name, ${rolesOf} as roles,
      (select count(*) from passkeys k where k.person_id = p.person_id) as passkeys, p.last_seen_at as "lastSeenAt"
    from people p where p.account_id = current_account_id() and p.removed_at is null
    order by lower(p.name), p.person_id`.execute(db);
  return rows;
}

/** The last who were removed, who can be let in again. @param db bound to the account */
export async function listRemoved(
  db: Db,
): Promise<{ personId: PersonId; issuer: string; name: string; removedAt: Date }[]> {
  const { rows } = await sql<{
    personId: PersonId;
    issuer: string;
    name: string;
    removedAt: Date;
  }>`
    select person_id as "personId", issuer, name, removed_at as "removedAt" from people
    where account_id = current_account_id() and removed_at is not null
    order by removed_at desc, person_id desc limit 100`.execute(db);
  return rows;
}

/** @param db bound to the account @returns undefined for somebody who is unknown here, or was removed */
export async function findPerson(db: Db, personId: PersonId): Promise<PersonRow | undefined> {
  const { rows } = await sql<PersonRow>`
    select p.person_id as "personId", p.issuer, p.subject, p.name, ${rolesOf} as roles from people p
    where p.account_id = current_account_id() and p.person_id = ${personId} and p.removed_at is null`.execute(
    db,
  );
  return rows[0];
}

/** A person by what an issuer says, removed or not. @param db bound to the account */
export async function findIdentity(
  db: Db,
  { issuer, subject }: Identity,
): Promise<(PersonRow & { readonly removedAt: Date | null }) | undefined> {
  const { rows } = await sql<PersonRow & { removedAt: Date | null }>`
    select p.person_id as "personId", p.issuer, p.subject, p.name, ${rolesOf} as roles, p.removed_at as "removedAt"
    from people p
    where p.account_id = current_account_id() and p.issuer = ${issuer} and p.subject = ${subject}`.execute(
    db,
  );
  return rows[0];
}

/** The names of these people, removed or not. @param db bound to the account */
export async function findNames(
  db: Db,
  identities: readonly Identity[],
): Promise<(Identity & { readonly name: string })[]> {
  if (identities.length === 0) return [];
  const { rows } = await sql<Identity & { name: string }>`
    select p.issuer, p.subject, p.name from people p
    join unnest(${identities.map(({ issuer }) => issuer)}::text[], ${identities.map(({ subject }) => subject)}::text[])
      as asked (issuer, subject) using (issuer, subject)
    where p.account_id = current_account_id()`.execute(db);
  return rows;
}

export async function insertPerson(
  db: Db,
  person: Identity & { readonly name: string },
): Promise<PersonId> {
  const { rows } = await sql<{ person_id: PersonId }>`
    insert into people (account_id, issuer, subject, name)
    values (current_account_id(), ${person.issuer}, ${person.subject}, ${person.name})
    returning person_id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The new person has no number.');
  return row.person_id;
}

export async function renamePerson(db: Db, personId: PersonId, name: string): Promise<void> {
  await sql`update people set name = ${name} where person_id = ${personId}`.execute(db);
}

/** Makes these the person's roles, and no others. */
export async function saveRoles(db: Db, personId: PersonId, roles: readonly Role[]): Promise<void> {
  await sql`delete from person_roles where person_id = ${personId}
    and role <> all (${[...roles]}::text[])`.execute(db);
  await sql`insert into person_roles (account_id, person_id, role)
    select current_account_id(), ${personId}, role from unnest(${[...roles]}::text[]) role
    on conflict do nothing`.execute(db);
}

/** Everything that opened the console to the person is deleted; the row stays, for the record. */
export async function markRemoved(db: Db, personId: PersonId, now: Date): Promise<void> {
  await sql`delete from office_sessions where person_id = ${personId}`.execute(db);
  await sql`delete from passkeys where person_id = ${personId}`.execute(db);
  await sql`delete from invitations where person_id = ${personId}`.execute(db);
  await sql`delete from person_roles where person_id = ${personId}`.execute(db);
  await sql`update people set removed_at = ${now} where person_id = ${personId}`.execute(db);
}

/** Lets a removed person in again, without any role. @returns false for somebody who was not removed here */
export async function restorePerson(db: Db, personId: PersonId): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update people set removed_at = null
    where account_id = current_account_id() and person_id = ${personId} and removed_at is not null`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

/** Waits until no other transaction changes the office's people, so that two cannot each remove the other admin. */
export async function lockPeople(tx: Tx | Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('people'), current_account_id())`.execute(tx);
}

/**
 * Whether somebody of the office is proven in decisions on files: a provider's person with any role, or a person with a
 * passkey and one of these roles. @param db bound to the account
 */
export async function hasProvenPeople(db: Db, decidingRoles: readonly Role[]): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from people p join person_roles r using (person_id)
      where p.account_id = current_account_id() and p.removed_at is null
        and (p.issuer <> ${passkeyIssuer} or r.role = any (${decidingRoles}::text[]))) as has`.execute(
    db,
  );
  return rows[0]?.has === true;
}

export interface InvitationRow {
  readonly name: string;
  readonly roles: readonly Role[];
  /** Who gets back in; null for a new person. */
  readonly personId: PersonId | null;
  readonly invitedBy: string;
  readonly expiresAt: Date;
}

export async function insertInvitation(
  db: Db,
  invitation: InvitationRow & { readonly hash: Buffer },
): Promise<void> {
  const { hash, name, roles, personId, invitedBy, expiresAt } = invitation;
  if (personId !== null)
    await sql`delete from invitations where person_id = ${personId}`.execute(db);
  await sql`insert into invitations (account_id, invitation_hash, name, roles, person_id, invited_by, expires_at)
    values (current_account_id(), ${hash}, ${name}, ${[...roles]}::text[], ${personId}, ${invitedBy}, ${expiresAt})`.execute(
    db,
  );
}

/**
 * Withdraws what somebody invited with who may invite nobody any more: the person has the links, and could come back by
 * one. @param db bound to the account
 */
export async function withdrawInvitationsBy(db: Db, invitedBy: string): Promise<void> {
  await sql`delete from invitations
    where account_id = current_account_id() and invited_by = ${invitedBy}`.execute(db);
}

const invitationColumns = sql`name, roles, person_id as "personId", invited_by as "invitedBy", expires_at as "expiresAt"`;

export async function findInvitation(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`
    select ${invitationColumns} from invitations
    where invitation_hash = ${hash} and expires_at > ${now}`.execute(db);
  return rows[0];
}

/** Takes the invitation, which is good once. */
export async function takeInvitation(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`
    delete from invitations where invitation_hash = ${hash} and expires_at > ${now}
    returning ${invitationColumns}`.execute(db);
  return rows[0];
}

/** Those that can still be accepted, the next to expire first. @param db bound to the account */
export async function listInvitations(db: Db, now: Date): Promise<InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    select ${invitationColumns} from invitations
    where account_id = current_account_id() and expires_at > ${now} order by expires_at`.execute(
    db,
  );
  return rows;
}
