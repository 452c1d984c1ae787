import { setup } from 'xstate';

/**
 * ```
 *  closed ──TOGGLE──▶ opened
 *     ◀── TOGGLE, CLOSE, SELECT_LANGUAGE, LOGIN ──
 * ```
 */
export const languageMenuMachine = setup({
  types: {
    events: {} as
      | { type: 'TOGGLE' }
      | { type: 'CLOSE' }
      | { type: 'SELECT_LANGUAGE' }
      | { type: 'LOGIN' },
  },
}).createMachine({
  id: 'languageMenu',
  initial: 'closed',
  states: {
    closed: { on: { TOGGLE: 'opened' } },
    opened: {
      on: { TOGGLE: 'closed', CLOSE: 'closed', SELECT_LANGUAGE: 'closed', LOGIN: 'closed' },
    },
  },
});
