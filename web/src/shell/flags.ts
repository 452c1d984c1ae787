import {
  anonymousTargetingKey,
  defaultFlags,
  type FlagKey,
  type Flags,
  flagKeys,
} from '@ballot-beacon/contract/flags';
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { FlagContext, FlagSource } from './flag-source.ts';

export function flagContextOf(
  voter: Pick<VoterInformation, 'state' | 'county'> | null,
): FlagContext {
  if (!voter) return { targetingKey: anonymousTargetingKey };
  const { state, county } = voter;
  return { targetingKey: `voter:${state}:${county}`, state, county };
}

/** The flags that came with the page, completed with the defaults. */
export function readFlags(values: Readonly<Record<string, boolean>>): Flags {
  return Object.fromEntries(flagKeys.map((key) => [key, values[key] ?? defaultFlags[key]])) as {
    [key in FlagKey]: boolean;
  };
}

/** The feed's script and calls wait this many milliseconds, so that they do not delay the first paint. */
const feedDelay = 1500;

/**
 * The flags as they are now: as the page brought them, and from shortly after the first paint as the flag service has
 * them. A service that is down changes nothing.
 */
export function useLiveFlags(
  initial: Readonly<Record<string, boolean>>,
  voter: VoterInformation | null,
): Flags {
  const first = useMemo(() => readFlags(initial), [initial]);
  const [flags, setFlags] = useState(first);
  const { state, county } = voter ?? {};
  const context = useMemo(
    () => flagContextOf(state === undefined || county === undefined ? null : { state, county }),
    [state, county],
  );
  const now = useRef(context);
  now.current = context;
  const source = useRef<FlagSource | null>(null);

  useEffect(() => {
    let isWanted = true;
    const change = (changed: Partial<Flags>) => {
      if (isWanted) setFlags((before) => ({ ...before, ...changed }));
    };
    const follow = async () => {
      const { followFlags } = await import('./flag-feed.ts');
      const begunFor = now.current;
      const followed = await followFlags(begunFor, first, change);
      if (!isWanted) return followed.stop();
      source.current = followed;
      if (now.current !== begunFor) followed.setContext(now.current);
    };
    // Where they cannot be followed, the flags stay as the page brought them.
    const timer = setTimeout(() => follow().catch(() => {}), feedDelay);
    return () => {
      isWanted = false;
      clearTimeout(timer);
      source.current?.stop();
      source.current = null;
    };
  }, [first]);

  useEffect(() => source.current?.setContext(context), [context]);
  return flags;
}
