import { channels } from '@ballot-beacon/contract/messages';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config.ts';
import { createLog } from '../../../platform/log.ts';
import type { Database, Db } from '../../../platform/postgres.ts';
import { createSecrets } from '../../../platform/secrets.ts';
import type { SiteLimits } from '../../../platform/site-limits.ts';
import { createProviders, type Providers } from '../channels/index.ts';
import { registerProviders } from '../failover/store.ts';
import { receiveReceipts } from '../inbound/receipts.ts';
import { createOfficeCache } from '../office/store.ts';
import { createSenders, type Sender, type Senders } from '../senders/senders.ts';
import { deliverDue, resolveLost } from './deliver.ts';
import { createOriginLog } from './origins-store.ts';
import type { DeliveryParts } from './parts.ts';

/** For tests: what delivery works with, over a county's own database. @param replace providers instead of the local ones @param limits of the senders; none, for a clock that stands still */
export async function createDelivery(
  county: { readonly database: Database; readonly clock: Clock; readonly config: Config },
  replace: Partial<Providers> = {},
  limits: (db: Db, site: SiteLimits) => Senders = withoutLimits,
): Promise<DeliveryParts> {
  const { database, clock, config } = county;
  const local = createProviders(
    { TWILIO_API_URL: 'https://api.twilio.com' },
    'https://beacon.example/api/provider',
    database.system,
    clock,
    (receipts) => receiveReceipts(database.system, receipts, clock.now()),
  );
  const providers = { ...local, ...replace };
  for (const channel of channels)
    await registerProviders(
      database.system,
      channel,
      providers[channel].map(({ name }) => name),
      clock.now(),
    );
  return {
    db: database.system,
    clock,
    log: createLog('silent'),
    secrets: createSecrets(['a test secret of thirty-two characters']),
    origins: createOriginLog(),
    senders: limits(database.system, config.siteLimits),
    transaction: (work) => database.transaction(work),
    mailDomain: 'mail.beacon.example',
    providers,
    office: createOfficeCache(database.system, config),
  };
}

function withoutLimits(db: Db, site: SiteLimits): Senders {
  const senders = createSenders(db, site);
  const limits = { perSecond: null, perDay: null };
  const known = new Map<Sender, Sender>();
  return {
    ...senders,
    pace: null,
    async of(channel, accountId) {
      const sender = await senders.of(channel, accountId);
      const unlimited = known.get(sender) ?? { ...sender, limits };
      known.set(sender, unlimited);
      return unlimited;
    },
  };
}

/** For tests: what hands over all that is due to providers that never report back. */
export async function openSilentDelivery(
  county: Parameters<typeof createDelivery>[0],
): Promise<() => Promise<void>> {
  const settings = { TWILIO_API_URL: 'https://api.twilio.com' };
  const { database, clock } = county;
  const silent = createProviders(settings, '', database.system, clock, async () => {});
  const parts = await createDelivery(county, silent);
  return () => deliverAll(parts);
}

/** For tests: hands over all that is due on every channel. */
export async function deliverAll(parts: DeliveryParts): Promise<void> {
  for (const channel of channels) {
    while ((await resolveLost(parts, channel)).claimed > 0);
    while ((await deliverDue(parts, channel)).claimed > 0);
  }
}
