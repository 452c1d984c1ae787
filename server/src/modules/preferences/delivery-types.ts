import type { DeliveryTypeAnswer } from '@ballot-beacon/contract/voter-information';
import type { AccountSite } from '../sites/index.ts';

/** The channels that the office offers its voters; none means there is no preferences page. */
export function deliveryTypesOf(site: AccountSite): DeliveryTypeAnswer {
  return {
    _embedded: {
      delivery_type: site.account.settings.delivery_types.map((type) => ({ delivery_type: type })),
    },
  };
}
