import { assign, setup } from 'xstate';

/**
 * ```
 *  closed ──TOGGLE──▶ opened
 *     ◀── TOGGLE, CLOSE, LOGOUT ──
 * ```
 * Knows how many ballots of past elections there are, for the phone's way to them; a LOGOUT discards it
 * (product spec §4, voterProfile).
 */
export const voterProfileMachine = setup({
  types: {
    context: {} as { pastBallots: number },
    events: {} as
      | { type: 'TOGGLE' }
      | { type: 'CLOSE' }
      | { type: 'PAST_BALLOTS'; count: number }
      | { type: 'LOGOUT' },
  },
}).createMachine({
  id: 'voterProfile',
  context: { pastBallots: 0 },
  initial: 'closed',
  on: {
    LOGOUT: { target: '.closed', actions: assign({ pastBallots: 0 }) },
    PAST_BALLOTS: { actions: assign({ pastBallots: ({ event }) => event.count }) },
  },
  states: {
    closed: { on: { TOGGLE: 'opened' } },
    opened: { on: { TOGGLE: 'closed', CLOSE: 'closed' } },
  },
});
