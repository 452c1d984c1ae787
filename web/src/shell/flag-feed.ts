import { type Flags, flagKeys } from '@ballot-beacon/contract/flags';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { type Logger, OpenFeature, type Provider, ProviderEvents } from '@openfeature/web-sdk';
import { call } from '../api/client.ts';
import type { FlagContext } from './flags.ts';

/** How often the flags are asked for anew, in milliseconds; and whenever the tab comes back into sight. */
const pollInterval = 60_000;
/** A name of our own, so that an office's other scripts on the page keep their own provider. */
const domain = 'ballot-beacon';
const changes = [
  ProviderEvents.Ready,
  ProviderEvents.ConfigurationChanged,
  ProviderEvents.ContextChanged,
] as const;

export interface FlagFeed {
  setContext(context: FlagContext): void;
  stop(): void;
}

/**
 * Follows the flags by OpenFeature: over OFREP from the app's own host, or from LaunchDarkly where the office has it.
 *
 * @param first what each flag is until the service has spoken, and wherever it cannot.
 * @param onFlags called with all flags whenever one may have changed.
 */
export function startFlagFeed(
  context: FlagContext,
  first: Flags,
  onFlags: (flags: Flags) => void,
): FlagFeed {
  let isStopped = false;
  let current = context;
  OpenFeature.setLogger(silent);
  const client = OpenFeature.getClient(domain);
  const read = () => {
    if (isStopped) return;
    onFlags(
      Object.fromEntries(
        flagKeys.map((key) => [key, client.getBooleanValue(key, first[key])]),
      ) as unknown as Flags,
    );
  };
  for (const change of changes) client.addHandler(change, read);

  const begin = async () => {
    const provider = await createProvider();
    if (isStopped) return;
    await OpenFeature.setContext(domain, current);
    OpenFeature.setProvider(domain, provider);
  };
  begin().catch(() => {}); // a service that is down means the flags stay as they are

  return {
    setContext(next) {
      current = next;
      OpenFeature.setContext(domain, next).catch(() => {});
    },
    stop() {
      isStopped = true;
      for (const change of changes) client.removeHandler(change, read);
      OpenFeature.clearProviders().catch(() => {});
    },
  };
}

async function createProvider(): Promise<Provider> {
  const outcome = await call('getFlagClient', {});
  const clientId = outcome.kind === 'answered' ? outcome.answer.client_id : null;
  if (outcome.kind !== 'answered') console.info('Could not ask for the client id of the flags');
  if (clientId === null) return createOwnProvider();
  const { createLaunchDarklyProvider } = await import('./launch-darkly.ts');
  return createLaunchDarklyProvider(clientId);
}

function createOwnProvider(): Provider {
  return new OFREPWebProvider({
    baseUrl: location.origin,
    pollInterval,
    changeDetection: 'polling',
    // Nothing of a voter stays behind in the browser.
    cacheMode: 'disabled',
    // Without the cookie, so that asking for flags is not taken for a sign of the voter.
    fetchImplementation: (url, options) => fetch(url, { ...options, credentials: 'omit' }),
  }) as Provider; // written without exactOptionalPropertyTypes
}

const ignore = () => {};
const silent: Logger = { error: ignore, warn: ignore, info: ignore, debug: ignore };
