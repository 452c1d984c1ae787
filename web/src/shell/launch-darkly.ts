import { LaunchDarklyClientProvider } from '@openfeature/launchdarkly-client-provider';
import type { Provider } from '@openfeature/web-sdk';

/** For offices that keep their flags at LaunchDarkly: it is told the voter's state and county, and nothing else. */
export function createLaunchDarklyProvider(clientId: string): Provider {
  return new LaunchDarklyClientProvider(clientId, {
    streaming: true,
    sendEvents: false,
    diagnosticOptOut: true,
  });
}
