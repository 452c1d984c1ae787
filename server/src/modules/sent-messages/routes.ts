import { messageTopics } from '@ballot-beacon/contract/message-check';
import { localDay } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { problem } from '../../platform/problem.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { SecurityEvents } from '../audit/index.ts';
import { originOf, readMessageCode } from '../notifications/index.ts';
import { allowCode, countCode, explainWait, type VoterApi } from '../sessions/index.ts';
import { findSentMessage, readOrigins } from './check-store.ts';
import { registerOwnMessageRoutes } from './own-routes.ts';
import { topicOf } from './rules.ts';

const dayMs = 24 * 60 * 60_000;
/** How long a code is confirmed. */
const codeLastsMs = 90 * dayMs;
/** How far back the list of senders goes. */
const originsLastMs = 30 * dayMs;

interface SentMessageParts {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly securityEvents: SecurityEvents;
}

/** "Is this message from us?", for anybody who got one, and "What we sent you", for its voter. */
export function registerSentMessageRoutes(api: VoterApi, parts: SentMessageParts): void {
  const { config, secrets } = parts;
  registerOwnMessageRoutes(api, parts);

  api.answer('checkMessage', async ({ site, request, now }, { body }) => {
    const unknown = () => problem(404, 'No message has this code.');
    if (site.kind !== 'account') throw unknown();
    const { db, account } = site;
    const counted = await countCode(db, secrets.sign, { address: request.ip, now });
    if (counted.until) throw explainWait(counted.until, now);
    const ids = readMessageCode(secrets, account.accountId, body.code);
    const since = new Date(now.getTime() - codeLastsMs);
    const found = ids.length > 0 ? await findSentMessage(db, ids, since) : undefined;
    if (!found) throw unknown();
    await allowCode(db, counted);
    return {
      channel: found.channel,
      topic: topicOf(found.kind),
      sent_on: localDay(found.at, account.timeZone),
    };
  });

  api.answer('getMessageOrigins', async ({ site, request, now }) => {
    if (site.kind !== 'account')
      return { address: `${request.protocol}://${request.host}/`, senders: [], topics: [] };
    const since = new Date(now.getTime() - originsLastMs).toISOString().slice(0, 10);
    const origins = await readOrigins(site.db, since);
    const senders = new Map(
      origins.map(({ channel, sender }) => [`${channel} ${sender}`, { channel, sender }]),
    );
    const topics = new Set(origins.map(({ kind }) => topicOf(kind)));
    return {
      address: `${originOf(config, site.account.subdomain)}/`,
      senders: [...senders.values()],
      topics: messageTopics.filter((topic) => topics.has(topic)),
    };
  });
}
