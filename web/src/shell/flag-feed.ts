import type { Flags } from '@ballot-beacon/contract/flags';
import { readFlagClientId } from '../api/flag-client.ts';
import type { FlagContext, FlagSource } from './flag-source.ts';
import { followOfrep } from './ofrep.ts';

/**
 * Follows the flags: over OFREP from the app's own host, or from LaunchDarkly where the office has it.
 *
 * @param first each flag's value until the service answers, or when it cannot.
 * @param onFlags called with the flags that may have changed.
 */
export async function followFlags(
  context: FlagContext,
  first: Flags,
  onFlags: (flags: Partial<Flags>) => void,
): Promise<FlagSource> {
  const clientId = await readFlagClientId().catch(() => {
    console.info('Could not ask for the client id of the flags');
    return null;
  });
  if (clientId === null) return followOfrep(context, onFlags);
  const { followLaunchDarkly } = await import('./launch-darkly.ts');
  return followLaunchDarkly(clientId, context, first, onFlags);
}
