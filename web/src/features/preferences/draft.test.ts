import { expect, test } from 'vitest';
import { buildVoterInformation } from '../../../../testing/voter-information.ts';
import { createSignals } from '../../shell/signals.ts';
import { keepDraft, recallDraft } from './draft.ts';
import { changePreferences, createPreferences } from './form.ts';

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
