import type { PreferencesPatch } from '@ballot-beacon/contract/voter-information';
import type { Config } from '../../platform/config.ts';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { recordAudit } from '../audit/index.ts';
import {
  type Contacts,
  isSuppressed,
  lockContacts,
  noContacts,
  normalizeAddress,
  readAskedId,
  writeContacts,
} from '../contacts/index.ts';
import {
  emailConfirmed,
  isConfirmationCode,
  preferencesSaved,
  type ReachedLimit,
  type WaitingRequest,
} from '../notifications/index.ts';
import type { Session } from '../sessions/index.ts';
import { type RollContacts, readRollContacts } from '../voters/index.ts';
import { voidContactCodes } from './contact-code-store.ts';
import { isUnproven, refuseUnproven } from './contact-proof.ts';
import { readPhone } from './phone.ts';
import {
  findNewlyUsed,
  hasMoved,
  isEmail,
  planSave,
  type Refusal,
  stoppedNumber,
  unusableEmail,
} from './rules.ts';

export interface SaveParts {
  readonly config: Config;
  readonly secrets: Secrets;
}

export interface SaveOutcome {
  /** What keeps it from being saved; then nothing is changed. */
  readonly refusals: readonly Refusal[];
  /** The voter's messages go elsewhere from now on, on some channel. */
  readonly movesMessages: boolean;
  /** Limits that were reached and not reported yet. */
  readonly reached: readonly ReachedLimit[];
  readonly waiting: readonly WaitingRequest[];
}

/**
 * Saves what a voter changed, with everything that follows from it, in one transaction: consents, questions to new
 * addresses, notices to old ones, the record.
 */
export async function savePreferences(
  parts: SaveParts,
  session: Session,
  patch: PreferencesPatch,
  now: Date,
): Promise<SaveOutcome> {
  const { site, voterId } = session;
  const { code, ...changes } = patch;
  const { accountId, settings } = site.account;
  const fields = Object.keys(patch).sort();
  let movesMessages = false;
  let reached: readonly ReachedLimit[] = [];
  let waiting: readonly WaitingRequest[] = [];
  try {
    await site.db.transaction().execute(async (tx) => {
      const known = await lockContacts(tx, accountId, voterId);
      const before = known ?? noContacts;
      const offer = { languages: site.languages, channels: settings.delivery_types };
      let after = before;
      if (Object.keys(changes).length > 0) {
        const unproven = isUnproven(session) ? refuseUnproven(before, changes) : [];
        if (unproven.length > 0) throw new Refused(unproven);
        const plan = planSave(before, changes, offer);
        if (!plan.ok) throw new Refused(plan.refusals);
        await refuseStopped(tx, accountId, before, plan.after);
        after = plan.after;
        await writeContacts(tx, { accountId, voterId }, before, after, now);
        movesMessages = hasMoved(before, after);
        if (movesMessages) await voidContactCodes(tx, voterId);
        ({ reached, waiting } = await preferencesSaved(
          tx,
          parts.config,
          accountId,
          { voterId, before: known ?? null, after, roll: await readRoll(tx, voterId) },
          now,
        ));
      }
      if (code !== undefined)
        await confirmEmail(tx, parts, { accountId, voterId }, after, code, now);
      const entry = { actor: `voter:${voterId}`, action: 'preferences.update' } as const;
      if (fields.length > 0) await recordAudit(tx, accountId, { ...entry, details: { fields } });
    });
    return { refusals: [], movesMessages, reached, waiting };
  } catch (error) {
    if (error instanceof Refused)
      return { refusals: error.refusals, movesMessages: false, reached: [], waiting: [] };
    throw error;
  }
}

/** What the office itself has of the voter, as far as a message can go there. */
async function readRoll(tx: Db, voterId: VoterId): Promise<RollContacts> {
  const { language, ...roll } = await readRollContacts(tx, voterId);
  const email = normalizeAddress(roll.email);
  return { email: isEmail(email) ? email : '', phone: readPhone(roll.phone) ?? '', language };
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
  accountId: AccountId,
  before: Contacts,
  after: Contacts,
): Promise<void> {
  const { sms, email } = findNewlyUsed(before, after);
  if (sms !== '' && (await isSuppressed(tx, { accountId, channel: 'sms', address: sms }))) {
    throw new Refused([stoppedNumber]);
  }
  if (email !== '' && (await isSuppressed(tx, { accountId, channel: 'email', address: email }))) {
    throw new Refused([unusableEmail]);
  }
}

async function confirmEmail(
  tx: Db,
  { config, secrets }: SaveParts,
  whose: { readonly accountId: AccountId; readonly voterId: VoterId },
  contacts: Contacts,
  code: string,
  now: Date,
): Promise<void> {
  const { email } = contacts.channels;
  const of = {
    ...whose,
    email: email.address,
    askedId: await readAskedId(tx, whose.voterId, 'email'),
  };
  const isRight = email.address !== '' && isConfirmationCode(secrets, of, code, now);
  // An old link does not confirm an address that bounced.
  if (!isRight || email.status === 'unusable') {
    const key = 'preferences.confirmEmail.refusedTitle';
    throw new Refused([{ field: 'code', rule: 'invalid', key }]);
  }
  if (email.status === 'proven') return;
  const proven = {
    ...contacts,
    channels: { ...contacts.channels, email: { ...email, status: 'proven' } },
  } as const;
  await writeContacts(tx, whose, contacts, proven, now);
  await emailConfirmed(tx, config, { ...whose, email: email.address }, now);
}
