import { assign, setup } from 'xstate';

export type ModalName = 'faq' | 'privacy' | 'smsPolicy' | 'releaseNotes' | 'unsubscribeFromAll';

type Event =
  | { type: 'OPEN_MODAL'; modal: ModalName }
  | { type: 'CLOSE_MODAL' }
  | { type: 'OPT_OUT_OF_ALL' }
  | { type: 'LOGOUT' };

/**
 * ```
 *  closed ──OPEN_MODAL──▶ opened ⟲ OPEN_MODAL (the new one takes the place of the old one)
 *     ◀── CLOSE_MODAL, OPT_OUT_OF_ALL, LOGOUT ──
 * ```
 * There is one place for a modal, so no two can be open (product spec §4, Modals).
 */
export const modalsMachine = setup({
  types: { context: {} as { modal: ModalName | null }, events: {} as Event },
  actions: {
    keep: assign({ modal: ({ event }) => (event.type === 'OPEN_MODAL' ? event.modal : null) }),
    drop: assign({ modal: null }),
  },
}).createMachine({
  id: 'modals',
  context: { modal: null },
  initial: 'closed',
  states: {
    closed: { on: { OPEN_MODAL: { target: 'opened', actions: 'keep' } } },
    opened: {
      on: {
        OPEN_MODAL: { actions: 'keep' },
        CLOSE_MODAL: { target: 'closed', actions: 'drop' },
        OPT_OUT_OF_ALL: { target: 'closed', actions: 'drop' },
        LOGOUT: { target: 'closed', actions: 'drop' },
      },
    },
  },
});
