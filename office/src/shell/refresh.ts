import { type QueryKey, useQueryClient } from '@tanstack/react-query';

/**
 * For what changes something, once it is settled: asks anew for what is shown, by default for all of it. What was done is
 * said once that is there, and what was refused at once.
 */
export function useRefresh(...queryKey: QueryKey) {
  const queries = useQueryClient();
  return (_done: unknown, error: Error | null) => {
    const shown = queries.invalidateQueries({ queryKey });
    return error ? undefined : shown;
  };
}
