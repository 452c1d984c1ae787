import type { CriticalData } from '@ballot-beacon/contract/bootstrap';
import type { Branding } from '@ballot-beacon/contract/branding';

/** The ways by which an office messages voters. Calls are confirmed by a call to the number that they come from, so without it there are none. */
export function offeredChannels(
  { delivery_types }: Pick<CriticalData, 'delivery_types'>,
  { from_voice }: Pick<Branding, 'from_voice'>,
) {
  return delivery_types._embedded.delivery_type
    .map(({ delivery_type: channel }) => channel)
    .filter((channel) => channel !== 'voice' || from_voice);
}
