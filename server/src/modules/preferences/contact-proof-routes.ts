import { timingSafeEqual } from 'node:crypto';
import { contactCodeLifetimeMs } from '@ballot-beacon/contract/messages';
import { plainDigits } from '@ballot-beacon/contract/typed-text';
import { problem, refuseField } from '../../platform/problem.ts';
import { recordAudit, type SecurityEvents } from '../audit/index.ts';
import { lockContacts, noContacts } from '../contacts/index.ts';
import { contactCode, sendContactCode } from '../notifications/index.ts';
import {
  countContactCodeTry,
  explainWait,
  grantContactProof,
  type Session,
  type VoterApi,
} from '../sessions/index.ts';
import { readRollContacts } from '../voters/index.ts';
import {
  addContactCode,
  takeBackContactCode,
  tryContactCode,
  useContactCode,
} from './contact-code-store.ts';
import { findCodeAddresses, isUnproven, mostTries } from './contact-proof.ts';
import { readOwn } from './own.ts';
import type { SaveParts } from './save.ts';

/** The code by which a session shows that it is the voter's, where the office hides addresses until then. */
export function registerContactProofRoutes(
  api: VoterApi,
  { config, secrets, securityEvents }: SaveParts & { readonly securityEvents: SecurityEvents },
): void {
  api.answer('requestContactCode', async ({ session, request, now }, { body }) => {
    requireUnproven(session);
    const { site, voterId, sessionId } = session;
    const { accountId } = site.account;
    const { channel } = body;
    const reached = await site.db.transaction().execute(async (tx) => {
      const contacts = (await lockContacts(tx, accountId, voterId)) ?? noContacts;
      const address = (await findCodeAddresses(tx, site.account, contacts)).get(channel);
      if (address === undefined) throw problem(404, 'No code can be sent there.');
      const expiresAt = new Date(now.getTime() + contactCodeLifetimeMs);
      const code = { accountId, sessionId, voterId, channel, address, expiresAt };
      const { id: codeId, earlier } = await addContactCode(tx, code);
      const language =
        contacts.language ?? (await readRollContacts(tx, voterId)).language ?? 'english';
      const message = { accountId, voterId, channel, address, language, codeId };
      const limit = await sendContactCode(tx, config, message, now);
      if (limit) {
        await takeBackContactCode(tx, codeId, earlier);
        return limit;
      }
      const actor = `voter:${voterId}` as const;
      await recordAudit(tx, accountId, {
        actor,
        action: 'contact-code.send',
        details: { channel },
      });
      return undefined;
    });
    if (reached === undefined) return undefined;
    securityEvents.record({ kind: reached, address: request.ip, accountId });
    throw explainWait(new Date(now.getTime() + 24 * 60 * 60_000), now);
  });

  api.answer('proveContact', async (visit, { body }) => {
    const { session, request, now, translate } = visit;
    requireUnproven(session);
    const { site, voterId, sessionId } = session;
    const { accountId } = site.account;
    const until = await countContactCodeTry(site.db, secrets.sign, {
      address: request.ip,
      voterId,
      now,
    });
    if (until) throw explainWait(until, now);
    const typed = plainDigits(body.code).replaceAll(/\D/g, '');
    const isRight = await site.db.transaction().execute(async (tx) => {
      const tried = await tryContactCode(tx, sessionId, mostTries, now);
      if (!tried) return false;
      const right = contactCode(secrets, { accountId, codeId: tried.id, address: tried.address });
      if (!isSame(typed, right) || !(await useContactCode(tx, tried.id))) return false;
      await grantContactProof(tx, sessionId);
      await recordAudit(tx, accountId, { actor: `voter:${voterId}`, action: 'contact-code.prove' });
      return true;
    });
    if (!isRight) throw refuseField('code', translate('contactProof.wrong'));
    return readOwn({ ...session, hasContactProof: true });
  });
}

function requireUnproven(session: Session): void {
  if (!isUnproven(session)) throw problem(404, 'This session needs no code.');
}

function isSame(typed: string, right: string): boolean {
  const [one, other] = [Buffer.from(typed), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
