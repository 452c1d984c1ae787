import {
  createProviders,
  type Providers,
} from '../server/src/modules/notifications/channels/index.ts';
import {
  type DeliveryParts,
  deliverDue,
  resolveLost,
} from '../server/src/modules/notifications/delivery/deliver.ts';
import { registerProviders } from '../server/src/modules/notifications/failover/store.ts';
import { receiveReceipts } from '../server/src/modules/notifications/inbound/receipts.ts';
import { createOfficeCache } from '../server/src/modules/notifications/office/store.ts';
import { channels } from '../server/src/modules/notifications/texts/render.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createSecrets } from '../server/src/platform/secrets.ts';
import type { MessageCounty } from './messages.ts';

/** What delivery works with, over a county's own database. @param replace providers instead of the local ones */
export async function createDelivery(
  county: MessageCounty,
  replace: Partial<Providers> = {},
): Promise<DeliveryParts> {
  const { database, clock, config } = county;
  const local = createProviders(
    { TWILIO_API_URL: 'https://api.twilio.com' },
    'https://beacon.example/api/provider',
    database.system,
    clock,
    (receipts) =>
      receiveReceipts(
        database.system,
        receipts.map((r) => ({ ...r, provider: 'local', code: null })),
        clock.now(),
      ),
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
    mailDomain: 'mail.beacon.example',
    providers,
    office: createOfficeCache(database.system, config),
  };
}

/** Hands over all that is due on every channel. */
export async function deliverAll(parts: DeliveryParts): Promise<void> {
  for (const channel of channels) {
    while ((await resolveLost(parts, channel)).claimed > 0);
    while ((await deliverDue(parts, channel)).claimed > 0);
  }
}
