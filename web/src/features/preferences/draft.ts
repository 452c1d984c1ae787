import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import type { Signals } from '../../shell/signals.ts';
import { isEdited, type PreferencesState } from './form.ts';

/** Of each page; in its memory alone, so that nothing typed outlives it. */
const drafts = new WeakMap<Signals, PreferencesState>();
const watched = new WeakSet<Signals>();

/**
 * Keeps what was typed and not saved for the form of the next screen, until it is saved, reset, or the voter logs out.
 */
export function keepDraft(signals: Signals, state: PreferencesState): void {
  if (!isEdited(state)) {
    discardDraft(signals);
    return;
  }
  if (!watched.has(signals)) {
    watched.add(signals);
    signals.subscribe(({ type }) => {
      if (type === 'LOGOUT') discardDraft(signals);
    });
  }
  drafts.set(signals, state);
}

function discardDraft(signals: Signals): void {
  drafts.delete(signals);
}

/** What this voter typed on another screen and did not save; null when there is nothing. */
export function recallDraft(signals: Signals, { voter_id }: VoterInformation) {
  const draft = drafts.get(signals);
  return draft?.voter.voter_id === voter_id ? draft : null;
}
