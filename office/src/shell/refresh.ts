import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { CallError } from '../api/client.ts';

/**
 * For what changes something, once it is settled: asks anew for what is shown, by default for all of it. What was done is
 * said once that is there, and what was refused at once.
 */
export function useRefresh(...queryKey: QueryKey) {
  const queries = useQueryClient();
  return (_done: unknown, error: Error | null) => {
    // Who did not sign in again would be asked once more.
    if (error instanceof CallError && error.status === 401) return;
    const shown = queries.invalidateQueries({ queryKey });
    return error ? undefined : shown;
  };
}
