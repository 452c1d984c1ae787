import type { PreferencesPatch } from '@ballot-beacon/contract/voter-information';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { recordAudit } from '../audit/index.ts';
import {
  emailConfirmed,
  isConfirmationCode,
  isSuppressed,
  preferencesSaved,
} from '../notifications/index.ts';
import type { Session } from '../sessions/index.ts';
import {
  findNewlyUsed,
  noPreferences,
  type Preferences,
  planSave,
  type Refusal,
  stoppedNumber,
  unusableEmail,
} from './rules.ts';
import { lockPreferences, writePreferences } from './store.ts';

export interface SaveParts {
  readonly config: Config;
  readonly secrets: Secrets;
}

/**
 * Saves what a voter changed, with everything that follows from it, in one transaction: consents, questions to new
 * addresses, notices to old ones, the record.
 *
 * @returns what keeps it from being saved; then nothing is changed
 */
export async function savePreferences(
  parts: SaveParts,
  { site, voterId }: Session,
  patch: PreferencesPatch,
  now: Date,
): Promise<readonly Refusal[]> {
  const { code, ...changes } = patch;
  const { accountId, settings } = site.account;
  const fields = Object.keys(patch).sort();
  try {
    await site.db.transaction().execute(async (tx) => {
      const known = await lockPreferences(tx, voterId);
      const before = known ?? noPreferences;
      const offer = { languages: site.languages, channels: settings.delivery_types };
      let after = before;
      if (Object.keys(changes).length > 0) {
        const plan = planSave(before, changes, offer);
        if (!plan.ok) throw new Refused(plan.refusals);
        await refuseStopped(tx, accountId, before, plan.after);
        after = plan.after;
        await writePreferences(tx, voterId, after, now);
        await preferencesSaved(
          tx,
          parts.config,
          accountId,
          { voterId, before: known ?? null, after },
          now,
        );
      }
      if (code !== undefined)
        await confirmEmail(tx, parts, { accountId, voterId }, after, code, now);
      const entry = { actor: `voter:${voterId}`, action: 'preferences.update' } as const;
      if (fields.length > 0) await recordAudit(tx, accountId, { ...entry, details: { fields } });
    });
    return [];
  } catch (error) {
    if (error instanceof Refused) return error.refusals;
    throw error;
  }
}

/** Rolls the transaction back. */
class Refused extends Error {
  readonly refusals: readonly Refusal[];

  constructor(refusals: readonly Refusal[]) {
    super('The save was refused.');
    this.refusals = refusals;
  }
}

async function refuseStopped(
  tx: Db,
  accountId: number,
  before: Preferences,
  after: Preferences,
): Promise<void> {
  const { sms, email } = findNewlyUsed(before, after);
  if (sms !== '' && (await isSuppressed(tx, { accountId, channel: 'sms', address: sms }))) {
    throw new Refused([stoppedNumber]);
  }
  const address = email.toLowerCase();
  if (email !== '' && (await isSuppressed(tx, { accountId, channel: 'email', address }))) {
    throw new Refused([unusableEmail]);
  }
}

async function confirmEmail(
  tx: Db,
  { config, secrets }: SaveParts,
  whose: { readonly accountId: number; readonly voterId: number },
  preferences: Preferences,
  code: string,
  now: Date,
): Promise<void> {
  const { email, is_valid_email: isValid } = preferences;
  const isRight = email !== '' && isConfirmationCode(secrets, { ...whose, email }, code);
  // An address that bounced does not become good by an old link.
  if (!isRight || isValid === false) {
    const key = 'preferences.confirmEmail.refusedTitle';
    throw new Refused([{ field: 'code', rule: 'invalid', key }]);
  }
  if (isValid) return;
  await writePreferences(tx, whose.voterId, { ...preferences, is_valid_email: true }, now);
  await emailConfirmed(tx, config, { ...whose, email }, now);
}
