import { useEffect, useRef } from 'react';

/** Ends what a work was refused for once another form, or the list, is open: it was about the one before. */
export function useRefusalOf(
  open: string | undefined,
  work: { readonly isError: boolean; readonly reset: () => void },
): void {
  const before = useRef(open);
  useEffect(() => {
    if (before.current !== open && work.isError) work.reset();
    before.current = open;
  });
}
