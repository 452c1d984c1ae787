import type { VoterRecord } from '@ballot-beacon/contract/office/voters';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';

export const recordKey = (voterId: number): QueryKey => ['voter', voterId];

/** Shows what this person just changed in the record, without another look that would be recorded. */
export function useRecordChange(voterId: number) {
  const queries = useQueryClient();
  return (change: (record: VoterRecord) => VoterRecord) =>
    queries.setQueryData<VoterRecord>(recordKey(voterId), (record) => record && change(record));
}
