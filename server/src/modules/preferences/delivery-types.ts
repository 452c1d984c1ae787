import type { DeliveryTypeAnswer } from '@ballot-beacon/contract/voter-information';
import type { OwnView } from '../sessions/index.ts';

/**
 * The channels that the office offers its voters; none means there is no preferences page. Confidential voters get no
 * messages, so that none shows who they are.
 */
export function deliveryTypesOf({ site, isConfidential }: OwnView): DeliveryTypeAnswer {
  const channels = isConfidential ? [] : site.account.settings.delivery_types;
  return { _embedded: { delivery_type: channels.map((type) => ({ delivery_type: type })) } };
}
