import { type Flags, flagKeys } from '@ballot-beacon/contract/flags';
import { createClient } from '@launchdarkly/js-client-sdk';
import type { FlagContext, FlagSource } from './flag-source.ts';

/** For offices that keep their flags at LaunchDarkly, which gets only the voter's state and county. */
export function followLaunchDarkly(
  clientId: string,
  context: FlagContext,
  first: Flags,
  onFlags: (flags: Partial<Flags>) => void,
): FlagSource {
  const client = createClient(clientId, contextOf(context), {
    streaming: true,
    sendEvents: false,
    fetchGoals: false,
    diagnosticOptOut: true,
    logger: silent,
  });
  const read = () =>
    onFlags(
      Object.fromEntries(flagKeys.map((key) => [key, client.boolVariation(key, first[key])])),
    );
  client.on('change', read);
  client.start().then(({ status }) => status === 'complete' && read());
  return {
    setContext: (next) => void client.identify(contextOf(next)).then(read),
    stop: () => void client.close(),
  };
}

function contextOf({ targetingKey, ...place }: FlagContext) {
  return { kind: 'user', key: targetingKey, ...place } as const;
}

const ignore = () => {};
const silent = { error: ignore, warn: ignore, info: ignore, debug: ignore };
