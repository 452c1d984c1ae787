import { assign, setup } from 'xstate';

export type ModalName = 'faq' | 'privacy' | 'smsPolicy' | 'releaseNotes' | 'unsubscribeFromAll';

type Event =
  | { type: 'OPEN_MODAL'; modal: ModalName }
  | { type: 'CLOSE_MODAL' }
  | { type: 'OPT_OUT_OF_ALL' }
  | { type: 'COVER_MODALS' }
  | { type: 'UNCOVER_MODALS' }
  | { type: 'LOGOUT' };

interface Context {
  readonly modal: ModalName | null;
  /** How often one was opened: a dialog that was closed a moment ago, and whose `close` event is still to come, is another one. */
  readonly openings: number;
  readonly isCovered: boolean;
}

/**
 * ```
 *  closed ──OPEN_MODAL──▶ opened ⟲ OPEN_MODAL (the new one takes the place of the old one)
 *     ◀── CLOSE_MODAL, OPT_OUT_OF_ALL, LOGOUT ──
 * ```
 * There is one place for a modal, so no two can be open (product spec §4, Modals). Between COVER_MODALS and
 * UNCOVER_MODALS the idle warning has that place, and the open modal is out of sight.
 */
export const modalsMachine = setup({
  types: { context: {} as Context, events: {} as Event },
  actions: {
    keep: assign({
      modal: ({ event }) => (event.type === 'OPEN_MODAL' ? event.modal : null),
      openings: ({ context }) => context.openings + 1,
    }),
    drop: assign({ modal: null }),
    cover: assign({ isCovered: true }),
    uncover: assign({ isCovered: false }),
  },
}).createMachine({
  id: 'modals',
  context: { modal: null, openings: 0, isCovered: false },
  initial: 'closed',
  on: { COVER_MODALS: { actions: 'cover' }, UNCOVER_MODALS: { actions: 'uncover' } },
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
