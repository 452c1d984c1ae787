import { useEffect, useRef } from 'react';

/**
 * Whether the component has left the page, for what goes on after an answer was waited for: the voter may have logged out
 * meanwhile, and the page be in front of the next one.
 */
export function useIsGone(): { readonly current: boolean } {
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  return isGone;
}
