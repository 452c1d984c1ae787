import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { type ModalName, modalsMachine } from './modals.machine.ts';

const names: readonly ModalName[] = [
  'faq',
  'privacy',
  'smsPolicy',
  'releaseNotes',
  'unsubscribeFromAll',
];

function begin() {
  const actor = createActor(modalsMachine).start();
  return {
    send: (...events: Parameters<typeof actor.send>[0][]) => {
      for (const event of events) actor.send(event);
      const { value, context } = actor.getSnapshot();
      return [value, context.modal];
    },
  };
}

test.each(names)('OPEN_MODAL opens %s', (modal) => {
  expect(begin().send({ type: 'OPEN_MODAL', modal })).toEqual(['opened', modal]);
});

test('only one modal is open at a time', () => {
  const { send } = begin();
  send({ type: 'OPEN_MODAL', modal: 'faq' });
  expect(send({ type: 'OPEN_MODAL', modal: 'privacy' })).toEqual(['opened', 'privacy']);
  expect(send({ type: 'CLOSE_MODAL' })).toEqual(['closed', null]);
});

test('a modal that is opened while it is open is another one', () => {
  const actor = createActor(modalsMachine).start();
  const open = () => {
    actor.send({ type: 'OPEN_MODAL', modal: 'faq' });
    return actor.getSnapshot().context.openings;
  };
  expect([open(), open()]).toEqual([1, 2]);
});

test('a covered modal is still the open one, and comes back', () => {
  const actor = createActor(modalsMachine).start();
  const read = (...types: ('COVER_MODALS' | 'UNCOVER_MODALS' | 'LOGOUT')[]) => {
    for (const type of types) actor.send({ type });
    return actor.getSnapshot().context;
  };
  actor.send({ type: 'OPEN_MODAL', modal: 'releaseNotes' });
  expect(read('COVER_MODALS')).toEqual({ modal: 'releaseNotes', openings: 1, isCovered: true });
  expect(read('UNCOVER_MODALS')).toEqual({ modal: 'releaseNotes', openings: 1, isCovered: false });
  expect(read('COVER_MODALS', 'LOGOUT', 'UNCOVER_MODALS')).toEqual({
    modal: null,
    openings: 1,
    isCovered: false,
  });
});

describe.each(['CLOSE_MODAL', 'OPT_OUT_OF_ALL', 'LOGOUT'] as const)('%s', (type) => {
  test('closes the modal', () => {
    expect(begin().send({ type: 'OPEN_MODAL', modal: 'unsubscribeFromAll' }, { type })).toEqual([
      'closed',
      null,
    ]);
  });

  test('does nothing while none is open', () => {
    expect(begin().send({ type })).toEqual(['closed', null]);
  });
});
