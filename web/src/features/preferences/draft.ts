import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import type { Signals } from '../../shell/signals.ts';
import {
  changePreferences,
  isEdited,
  type PreferencesAction,
  type PreferencesState,
} from './form.ts';

type Form = (action: PreferencesAction) => void;

/** What outlives the form of one screen, until the voter logs out. */
interface Memory {
  /** What was typed and not saved. */
  draft: PreferencesState | null;
  /** The form in front. */
  form: Form | null;
  /** The call begun last: the answer to an earlier one is older than what the page shows. */
  call: object | null;
}

/** Of each page; in its memory alone, so that nothing typed outlives it. */
const memories = new WeakMap<Signals, Memory>();

function memoryOf(signals: Signals): Memory {
  const known = memories.get(signals);
  if (known) return known;
  const memory: Memory = { draft: null, form: null, call: null };
  memories.set(signals, memory);
  signals.subscribe(({ type }) => {
    if (type !== 'LOGOUT') return;
    memory.draft = null;
    memory.call = null;
  });
  return memory;
}

/**
 * Keeps what was typed and not saved for the form of the next screen, until it is saved, reset, or the voter logs out.
 */
export function keepDraft(signals: Signals, state: PreferencesState): void {
  memoryOf(signals).draft = isEdited(state) ? state : null;
}

/** What this voter typed on another screen and did not save; null when there is nothing. */
export function recallDraft(signals: Signals, { voter_id }: VoterInformation) {
  const draft = memories.get(signals)?.draft;
  return draft?.voter.voter_id === voter_id ? draft : null;
}

/** The form that is in front from now on. @returns what ends that */
export function bringForm(signals: Signals, form: Form): () => void {
  const memory = memoryOf(signals);
  memory.form = form;
  return () => {
    if (memory.form === form) memory.form = null;
  };
}

/** Changes the form in front, and what the next screen's begins with: this screen may be left at once. */
export function changeForm(signals: Signals, action: PreferencesAction): void {
  const memory = memoryOf(signals);
  memory.form?.(action);
  if (memory.draft) keepDraft(signals, changePreferences(memory.draft, action));
}

/** @returns whether the page may still show how this call ended: no other has begun, and the voter has not logged out */
export function beginCall(signals: Signals): () => boolean {
  const memory = memoryOf(signals);
  const begun = {};
  memory.call = begun;
  return () => memory.call === begun;
}
