import type { ValidationMessages } from '@ballot-beacon/contract/problem';
import { type ProblemError, problem } from '../../platform/problem.ts';
import type { SecurityEvents } from '../audit/index.ts';
import {
  countMovedVoter,
  countSave,
  explainWait,
  type Visit,
  type VoterApi,
} from '../sessions/index.ts';
import { refuseConfidential } from './confidential.ts';
import { deliveryTypesOf } from './delivery-types.ts';
import { readOwn } from './own.ts';
import type { Refusal } from './rules.ts';
import { type SaveParts, savePreferences } from './save.ts';

/** The signed-in voter and the contact preferences. */
export function registerPreferenceRoutes(
  api: VoterApi,
  parts: SaveParts & { readonly securityEvents: SecurityEvents },
): void {
  const { secrets, securityEvents } = parts;

  api.answer('checkSession', ({ session }) => readOwn(session));

  api.answer('getVoterInformation', async ({ session }) => ({
    _embedded: { voter_information: [await readOwn(session)] },
  }));

  api.answer('getDeliveryTypes', async ({ session }) => deliveryTypesOf(session));

  api.answer('updatePreferences', async (visit, { body }) => {
    const { session, request, now } = visit;
    refuseConfidential(session);
    const { db, account } = session.site;
    const saver = { address: request.ip, voterId: session.voterId, now };
    const until = await countSave(db, secrets.sign, saver);
    if (until) throw explainWait(until, now);
    const saved = await savePreferences(parts, session, body, now);
    const { refusals, movesMessages, reached, waiting } = saved;
    if (refusals.length > 0) throw explainRefusals(visit, refusals);
    const isInMass = movesMessages && (await countMovedVoter(db, secrets.sign, saver));
    const kinds = [...reached, ...(isInMass ? (['preferences-changed-in-mass'] as const) : [])];
    for (const kind of kinds)
      securityEvents.record({ kind, address: request.ip, accountId: account.accountId });
    const requests = waiting.map(({ channel, deliverAfter }) => ({
      channel,
      deliver_after: deliverAfter.toISOString(),
    }));
    return { ...(await readOwn(session)), ...(requests.length > 0 && { requests }) };
  });
}

/** Values that an error message may contain: examples of the right form, or the office's own. */
function explainRefusals({ translate, site }: Visit, refusals: readonly Refusal[]): ProblemError {
  const values = {
    email: 'name@example.com',
    phone: '(352) 555-0100',
    code: site.branding.short_code,
  };
  const messages: ValidationMessages = {};
  for (const { field, rule, key } of refusals) {
    messages[field] = { ...messages[field], [rule]: translate(key, values) };
  }
  const detail = refusals.find((refusal) => refusal.detail)?.detail ?? 'Failed Validation';
  return problem(422, detail, { validationMessages: messages });
}
