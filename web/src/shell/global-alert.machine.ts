import { assign, setup } from 'xstate';
import type { Alert } from './alerts.ts';

type Event =
  | { type: 'UPDATE_GLOBAL_ALERTS'; alerts: readonly Alert[] }
  | { type: 'CLOSE_ALL' }
  | { type: 'LOGOUT'; alerts?: readonly Alert[] };

/**
 * ```
 *          UPDATE_GLOBAL_ALERTS
 *  closed ──────────────────────▶ opened ⟲ UPDATE_GLOBAL_ALERTS
 *     ◀──────────────────────────
 *         CLOSE_ALL, LOGOUT
 * ```
 * A LOGOUT that says why (session expired) opens with its own alerts.
 */
export const globalAlertMachine = setup({
  types: { context: {} as { alerts: readonly Alert[] }, events: {} as Event },
  guards: { hasAlerts: ({ event }) => 'alerts' in event && (event.alerts?.length ?? 0) > 0 },
  actions: {
    keep: assign({ alerts: ({ event }) => ('alerts' in event ? (event.alerts ?? []) : []) }),
    drop: assign({ alerts: [] }),
  },
}).createMachine({
  id: 'globalAlert',
  context: { alerts: [] },
  initial: 'closed',
  on: {
    UPDATE_GLOBAL_ALERTS: [
      { guard: 'hasAlerts', target: '.opened', actions: 'keep' },
      { target: '.closed', actions: 'drop' },
    ],
    LOGOUT: [
      { guard: 'hasAlerts', target: '.opened', actions: 'keep' },
      { target: '.closed', actions: 'drop' },
    ],
  },
  states: {
    closed: {},
    opened: { on: { CLOSE_ALL: { target: 'closed', actions: 'drop' } } },
  },
});
