import type { Signals } from './signals.ts';

/** @returns whether the voter who is signed in now still is, for what is said after an answer was waited for; asked once */
export function watchLogOut(signals: Signals): () => boolean {
  let isSignedIn = true;
  const stop = signals.subscribe(({ type }) => {
    if (type === 'LOGOUT') isSignedIn = false;
  });
  return () => {
    stop();
    return isSignedIn;
  };
}
