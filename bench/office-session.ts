import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '@ballot-beacon/contract/office/roles';
import type { pg } from '../testing/sql.ts';

/** A person of an office with a session of today. @returns the cookie */
export async function openOfficeSession(
  client: pg.Client,
  subdomain: string,
  role: Role,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(secret).digest();
  await client.query(
    `with office as (select account_id from accounts where subdomain = $1),
      person as (insert into people (account_id, issuer, subject, name)
        select account_id, 'passkey', 'bench', 'Bench' from office returning account_id, person_id),
      role as (insert into person_roles select account_id, person_id, $3 from person)
    insert into office_sessions select account_id, $2, person_id, now(), now(), now() + interval '1 day' from person`,
    [subdomain, hash, role],
  );
  return `beacon_office=${secret}`;
}
