import { type QueryKey, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

const all = ['typed'];

/** What was typed and not saved, null for nothing, stays while other screens are looked at; signing out discards it with all else. */
export function useTyped<Typed>(...of: QueryKey) {
  const queries = useQueryClient();
  const queryKey = [...all, ...of];
  const { data = null } = useQuery<Typed | null>({
    queryKey,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return {
    /** As it was drawn last. */
    typed: data,
    /** As it is: somebody may save before what was typed last is drawn. */
    latest: () => queries.getQueryData<Typed | null>(queryKey) ?? null,
    setTyped: (typed: Typed | null) => queries.setQueryData(queryKey, typed),
  };
}

/** The browser asks before it closes or reloads the page while something is typed and not saved, on whichever screen. */
export function useLeaveWarning(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (queries.getQueriesData({ queryKey: all }).some(([, typed]) => typed))
        event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [queries]);
}
