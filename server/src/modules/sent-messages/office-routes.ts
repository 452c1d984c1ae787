import { type ListedMessage, messageOutcomes } from '@ballot-beacon/contract/office/messages';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import { recordAudit } from '../audit/index.ts';
import { previewMessages, readQueue, viewFinish } from '../notifications/index.ts';
import type { OfficeApi } from '../people/index.ts';
import { type OfficeMessage, pageMessages, readMessage, readReceipts } from './office-store.ts';

const pageLength = 100;

/** Every message of the office for clerks: what became of it, and one of them whole. Each look is in the audit. What waits is counted for everybody. */
export function registerOfficeMessageRoutes(
  api: OfficeApi,
  { config, database }: { readonly config: Config; readonly database: Database },
): void {
  api.answer('listMessages', async ({ db, account, session }, { query }) => {
    const { outcome, ...filter } = query;
    const states = outcome && messageOutcomes[outcome];
    const found = await pageMessages(
      db,
      { ...filter, states, timeZone: account.timeZone },
      pageLength + 1,
    );
    const shown = found.slice(0, pageLength);
    // Recorded before anything is shown.
    await recordAudit(db, account.accountId, {
      actor: session.actor,
      action: 'messages.list',
      details: { ...query, count: shown.length },
    });
    return {
      messages: shown.map(listMessage),
      next: found.length > pageLength ? (shown.at(-1)?.message_id ?? null) : null,
    };
  });

  api.answer('getQueue', async ({ account, now }) => {
    // Of all offices: those that share a sender wait for each other.
    const { senders } = await readQueue(database.system, config, null, now);
    const own = senders.filter(({ accounts }) => accounts.includes(account.accountId));
    return {
      senders: own.map(({ channel, accounts, messages, finish }) => ({
        ...{ channel, is_shared: accounts.length > 1, messages, finish: viewFinish(finish) },
      })),
    };
  });

  api.answer('getMessage', async ({ db, account, session }, { params }) => {
    const message = await readMessage(db, params.message_id);
    if (!message) throw problem(404, 'This office has no such message.');
    await recordAudit(db, account.accountId, {
      actor: session.actor,
      action: 'message.show',
      target: String(message.message_id),
    });
    const { language, channel, status, kind } = message;
    const [sample] = await previewMessages(db, config, account.accountId, {
      ...{
        language,
        channel,
        about: kind === 'status' || kind === 'catch-up' ? (status ?? '') : kind,
      },
    });
    const receipts = await readReceipts(db, message.message_id);
    return {
      ...listMessage(message),
      address: message.address,
      deliver_after: message.deliver_after.toISOString(),
      sent_at: message.sent_at?.toISOString() ?? null,
      attempts: message.attempts,
      provider: message.provider,
      error: message.error_code,
      import_id: message.import_id,
      receipts: receipts.map(({ at, outcome, error_code }) => ({
        ...{ at: at.toISOString(), outcome, error: error_code },
      })),
      sample: sample ? { subject: sample.subject, body: sample.body } : null,
    };
  });
}

function listMessage(message: OfficeMessage): ListedMessage {
  const { message_id, created_at, kind, status, channel, language, state } = message;
  const { voter_id, registration_id } = message;
  return {
    ...{ message_id, created_at: created_at.toISOString(), kind, status, channel, language, state },
    ...{ voter_id, registration_id },
  };
}
