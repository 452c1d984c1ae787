import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';
import type { Preferences } from './rules.ts';

/**
 * The voter's preferences, held until the transaction ends, so that two saves at once come one after the other;
 * undefined before the first save.
 */
export async function lockPreferences(tx: Db, voterId: number): Promise<Preferences | undefined> {
  const inserted = await sql`
    insert into contact_preferences (account_id, voter_id) values (current_account_id(), ${voterId})
    on conflict (voter_id) do nothing returning voter_id`.execute(tx);
  const { rows } = await sql<Preferences>`
    select email, email_opt_in, is_valid_email, phone_sms, sms_opt_in, sms_status, phone_voice, pending_voice,
      voice_opt_in, language_preference, is_confirmed,
      to_char(email_do_not_contact_before, 'HH24:MI') as email_do_not_contact_before,
      to_char(email_do_not_contact_after, 'HH24:MI') as email_do_not_contact_after,
      to_char(sms_do_not_contact_before, 'HH24:MI') as sms_do_not_contact_before,
      to_char(sms_do_not_contact_after, 'HH24:MI') as sms_do_not_contact_after,
      to_char(voice_do_not_contact_before, 'HH24:MI') as voice_do_not_contact_before,
      to_char(voice_do_not_contact_after, 'HH24:MI') as voice_do_not_contact_after
    from contact_preferences
    where account_id = current_account_id() and voter_id = ${voterId} for update`.execute(tx);
  return inserted.rows.length > 0 ? undefined : rows[0];
}

export async function writePreferences(
  tx: Db,
  voterId: number,
  preferences: Preferences,
  now: Date,
): Promise<void> {
  const p = preferences;
  await sql`
    update contact_preferences set
      email = ${p.email}, email_opt_in = ${p.email_opt_in}, is_valid_email = ${p.is_valid_email},
      phone_sms = ${p.phone_sms}, sms_opt_in = ${p.sms_opt_in}, sms_status = ${p.sms_status},
      phone_voice = ${p.phone_voice}, pending_voice = ${p.pending_voice}, voice_opt_in = ${p.voice_opt_in},
      email_do_not_contact_before = ${p.email_do_not_contact_before},
      email_do_not_contact_after = ${p.email_do_not_contact_after},
      sms_do_not_contact_before = ${p.sms_do_not_contact_before},
      sms_do_not_contact_after = ${p.sms_do_not_contact_after},
      voice_do_not_contact_before = ${p.voice_do_not_contact_before},
      voice_do_not_contact_after = ${p.voice_do_not_contact_after},
      language_preference = ${p.language_preference}, is_confirmed = ${p.is_confirmed}, updated_at = ${now}
    where account_id = current_account_id() and voter_id = ${voterId}`.execute(tx);
}
