import type { DeliveryTypeAnswer } from '@ballot-beacon/contract/voter-information';
import { offeredChannels } from '../accounts/index.ts';
import type { OwnView } from '../sessions/index.ts';

/**
 * The channels that the office offers its voters; none means there is no preferences page. Confidential voters get no
 * messages, so that none shows who they are.
 */
export function deliveryTypesOf({ site, isConfidential }: OwnView): DeliveryTypeAnswer {
  const channels = isConfidential ? [] : offeredChannels(site.account.settings);
  return { _embedded: { delivery_type: channels.map((type) => ({ delivery_type: type })) } };
}
