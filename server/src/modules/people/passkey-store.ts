import { sql } from 'kysely';
import type { PersonId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';

export interface Passkey {
  /** Base64url. */
  readonly credentialId: string;
  readonly personId: PersonId;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

export async function insertPasskey(db: Db, passkey: Passkey): Promise<void> {
  const { credentialId, personId, publicKey, counter, transports } = passkey;
  await sql`insert into passkeys (account_id, credential_id, person_id, public_key, counter, transports)
    values (current_account_id(), ${credentialId}, ${personId}, ${publicKey}, ${counter}, ${[...transports]}::text[])`.execute(
    db,
  );
}

/** @param db bound to the account of the host: another office's passkey is nobody's here */
export async function findPasskey(db: Db, credentialId: string): Promise<Passkey | undefined> {
  const { rows } = await sql<Passkey>`
    select credential_id as "credentialId", person_id as "personId", public_key as "publicKey", counter, transports
    from passkeys where credential_id = ${credentialId}`.execute(db);
  return rows[0];
}

/** @returns false when another use of the passkey was counted meanwhile */
export async function countUse(
  db: Db,
  { credentialId, counter }: Passkey,
  newCounter: number,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update passkeys set counter = ${newCounter}, last_used_at = ${now}
    where credential_id = ${credentialId} and counter = ${counter}`.execute(db);
  return numAffectedRows === 1n;
}

/** A person who gets back in has lost the earlier ones. */
export async function deletePasskeysOf(db: Db, personId: PersonId): Promise<void> {
  await sql`delete from passkeys where person_id = ${personId}`.execute(db);
}

/** Uses up an answered challenge. False when it was answered before. */
export async function spendChallenge(db: Db, hash: Buffer, expiresAt: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into answered_challenges (account_id, challenge_hash, expires_at)
    values (current_account_id(), ${hash}, ${expiresAt}) on conflict do nothing`.execute(db);
  return numAffectedRows === 1n;
}
