import { expect, test } from 'vitest';
import { buildVoterInformation } from '../../../../testing/voter-information.ts';
import { createSignals } from '../../shell/signals.ts';
import { beginCall, bringForm, changeForm, keepDraft, recallDraft } from './draft.ts';
import { changePreferences, createPreferences, type PreferencesAction } from './form.ts';

const voter = buildVoterInformation({ voter_id: 7, email: 'ida@example.com', email_opt_in: true });
const untouched = createPreferences(voter, { offered: ['english'], page: 'english' });
const edited = changePreferences(untouched, {
  type: 'edit',
  channel: 'email',
  text: 'new@a.example',
});

test('what a voter typed waits for this voter alone, until it is as before or the voter leaves', () => {
  const signals = createSignals();
  keepDraft(signals, edited);
  expect(recallDraft(signals, voter)).toBe(edited);
  expect(recallDraft(signals, { ...voter, voter_id: 8 })).toBeNull();
  expect(recallDraft(createSignals(), voter)).toBeNull();
  keepDraft(signals, untouched);
  expect(recallDraft(signals, voter)).toBeNull();
  keepDraft(signals, edited);
  signals.send({ type: 'ACTIVITY' });
  expect(recallDraft(signals, voter)).toBe(edited);
  signals.send({ type: 'LOGOUT' });
  expect(recallDraft(signals, voter)).toBeNull();
});

test('what a save changes is in the form in front, and in what the form of the next screen begins with', () => {
  const signals = createSignals();
  const seen: PreferencesAction[] = [];
  const leave = bringForm(signals, (action) => seen.push(action));
  keepDraft(signals, edited);
  const messages = { email: { invalid: 'This address does not exist.' } };
  changeForm(signals, { type: 'refuse', messages });
  expect(seen).toEqual([{ type: 'refuse', messages }]);
  expect(recallDraft(signals, voter)?.refused).toEqual({ email: ['This address does not exist.'] });

  // The next screen's form comes before this one has gone.
  bringForm(signals, (action) => seen.push(action));
  leave();
  changeForm(signals, { type: 'saved', voter: { ...voter, email: 'new@a.example' } });
  expect(seen).toHaveLength(2);
  expect(recallDraft(signals, voter)).toBeNull();
});

test('only the call begun last may still change the page, until the voter logs out', () => {
  const signals = createSignals();
  const isFirstWanted = beginCall(signals);
  expect(isFirstWanted()).toBe(true);
  const isSecondWanted = beginCall(signals);
  expect([isFirstWanted(), isSecondWanted()]).toEqual([false, true]);
  signals.send({ type: 'LOGOUT' });
  expect(isSecondWanted()).toBe(false);
});
