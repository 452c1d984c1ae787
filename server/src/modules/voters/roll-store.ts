import type { SmsStatus } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';

/**
 * The voter of this ID on an account's roll, active or not.
 *
 * @param registrationId as a person read it off a card: case and spaces do not count where the ID as given is nobody's
 */
export async function findVoterId(
  system: Db,
  accountId: number,
  registrationId: string,
): Promise<number | undefined> {
  const find = async (condition: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ voter_id: number }>`
      select voter_id from voters where account_id = ${accountId} and ${condition} limit 2`.execute(
      system,
    );
    return rows.length === 1 ? rows[0]?.voter_id : undefined;
  };
  return (
    (await find(sql`registration_id = ${registrationId}`)) ??
    (await find(
      sql`upper(regexp_replace(registration_id, '\\s', '', 'g')) = ${registrationId.replaceAll(/\s/gu, '').toUpperCase()}`,
    ))
  );
}

/** A voter as the office's clerks may see one: the roll's entry, and what the voter has chosen here. */
export interface RollEntry {
  readonly registration_id: string;
  readonly firstname: string;
  readonly middlename: string;
  readonly lastname: string;
  readonly suffix: string;
  readonly birthdate: string | null;
  readonly birthyear: number | null;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zipcode: string;
  readonly county: string;
  readonly precinct: string;
  readonly phone: string;
  readonly email: string;
  readonly language_preference: string | null;
  readonly is_active: boolean;
  readonly is_confidential: boolean;
  readonly has_security_token: boolean;
  readonly created_timestamp: Date;
  /** The import that last changed it. */
  readonly last_import_id: number | null;
  /** Null before the first save. */
  readonly preferences: SavedPreferences | null;
}

export interface SavedPreferences {
  readonly is_confirmed: boolean;
  readonly email: string;
  readonly email_opt_in: boolean;
  /** Null: not proven yet. */
  readonly is_valid_email: boolean | null;
  readonly phone_sms: string;
  readonly sms_opt_in: boolean;
  readonly sms_status: SmsStatus;
  readonly phone_voice: string;
  readonly pending_voice: string;
  readonly voice_opt_in: boolean;
  readonly language_preference: string | null;
  /** `HH:MM` to `HH:MM` in the account's time zone; null where none were chosen. */
  readonly email_hours: string | null;
  readonly sms_hours: string | null;
  readonly voice_hours: string | null;
  /** ISO 8601 */
  readonly updated_at: string;
}

/** @param db bound to the voter's account */
export async function readRollEntry(db: Db, voterId: number): Promise<RollEntry | undefined> {
  const hours = (channel: string) => sql`
    to_char(${sql.ref(`p.${channel}_do_not_contact_before`)}, 'HH24:MI') || ' to ' ||
    to_char(${sql.ref(`p.${channel}_do_not_contact_after`)}, 'HH24:MI')`;
  const { rows } = await sql<RollEntry>`
    select v.registration_id, v.firstname, v.middlename, v.lastname, v.suffix, v.birthdate, v.birthyear,
      v.address, v.city, v.state, v.zipcode, v.county, v.precinct, v.phone, v.email, v.language_preference,
      v.is_active, v.is_confidential, v.token_hash is not null as has_security_token, v.created_timestamp,
      v.last_import_id,
      case when p.voter_id is not null then json_build_object(
        'is_confirmed', p.is_confirmed, 'email', p.email, 'email_opt_in', p.email_opt_in,
        'is_valid_email', p.is_valid_email, 'phone_sms', p.phone_sms, 'sms_opt_in', p.sms_opt_in,
        'sms_status', p.sms_status, 'phone_voice', p.phone_voice, 'pending_voice', p.pending_voice,
        'voice_opt_in', p.voice_opt_in, 'language_preference', p.language_preference,
        'email_hours', ${hours('email')}, 'sms_hours', ${hours('sms')}, 'voice_hours', ${hours('voice')},
        'updated_at', p.updated_at) end as preferences
    from voters v left join contact_preferences p using (voter_id)
    where v.account_id = current_account_id() and v.voter_id = ${voterId}`.execute(db);
  return rows[0];
}
