import type { ListedFlag } from '@ballot-beacon/contract/office/flags';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { FlagsScreen } from './index.tsx';

const flag: ListedFlag = {
  ...{ key: 'voterOutage', state: 'default', default_value: false, last_change: null },
};
const show = (more: Partial<ListedFlag> = {}, isElsewhere = false) =>
  showScreen(<FlagsScreen />, {
    listFlags: { flags: [{ ...flag, ...more }], is_elsewhere: isElsewhere },
  });

test.each<[ListedFlag['state'], boolean, string, string | undefined]>([
  ['default', false, 'Now: As usual (off)', 'Many visitors: As usual (off)'],
  ['default', true, 'Now: As usual (on)', 'Many visitors: As usual (on)'],
  ['on', false, 'Now: On', 'Many visitors: On'],
  ['off', true, 'Now: Off', 'Many visitors: Off'],
  ['rule', true, 'Now: By a rule of your operator', undefined],
])(
  'a switch that is %s, and usually on: %s, says %j and has %j pressed',
  async (state, usual, now, pressed) => {
    const { html, words } = await show({ state, default_value: usual });
    expect(words).toContain(now);
    const found = [...html.matchAll(/<button[^>]*aria-pressed="true"[^>]*>/g)].map(
      ([button]) => /aria-label="([^"]*)"/.exec(button)?.[1],
    );
    expect(found).toEqual(pressed ? [pressed] : []);
  },
);

test('the last change says who turned what to what and when, and only then there is something to undo', async () => {
  const last = { audit_id: 9, at: '2026-11-20T05:30:00Z', who: 'Ada Wu' };
  const changed = await show({ last_change: { ...last, from: 'default', to: 'on' } });
  expect(changed.words).toContain(
    'Last change: Nov 19, 2026, 7:30 PM, Ada Wu: As usual (off) → On Undo',
  );
  expect((await show()).words).not.toContain('Undo');
});

test('switches that are elsewhere say that nothing here has an effect', async () => {
  const said = 'What you choose here has no effect';
  expect((await show({}, true)).words).toContain(said);
  expect((await show()).words).not.toContain(said);
});
