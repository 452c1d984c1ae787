import { noStatus } from '@ballot-beacon/contract/office/ballots';

/** The address of the list of an election's ballots with this status. */
export function ballotsAddress(election: string, status: string | null): string {
  return `/ballots?${new URLSearchParams({ election, status: status ?? noStatus })}`;
}
