import type { Ballot } from '@ballot-beacon/contract/ballot-status-progress';
import { useRef } from 'react';
import { useTexts } from '../../shell/texts.ts';

/** Reads a changed status to who cannot see it change, when the reader has finished its sentence. */
export function News({ ballots }: { ballots: readonly Ballot[] }) {
  const { t } = useTexts();
  const known = useRef(statusesOf(ballots));
  const changed = useRef<number | null>(null);
  const statuses = statusesOf(ballots);
  for (const [id, status] of statuses) {
    const before = known.current.get(id);
    if (before !== undefined && before !== status) changed.current = id;
  }
  known.current = statuses;
  const ballot = ballots.find(({ ballot_id: id }) => id === changed.current);
  return (
    <p className="visually-hidden" role="status">
      {ballot &&
        t('dashboard.newStatus', { status: ballot.status_summary.current_status.display_name })}
    </p>
  );
}

function statusesOf(ballots: readonly Ballot[]): ReadonlyMap<number, string> {
  return new Map(
    ballots.map(({ ballot_id, status_summary }) => [
      ballot_id,
      status_summary.current_status.status,
    ]),
  );
}
