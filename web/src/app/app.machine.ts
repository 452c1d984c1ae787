import { assign, fromPromise, setup } from 'xstate';
import type { ProgressData, SessionData } from '../api/critical-data.ts';
import type { Alert } from '../shell/alerts.ts';

export interface AppServices {
  /** Fetches the critical data; null when any part of them cannot be had. */
  loadCriticalData(): Promise<SessionData | null>;
  announceCriticalData(critical: SessionData): void;
  /** The data of a signed-in voter could not be had: all regions log out. */
  announceLogout(): void;
  /** Ends the session on the server too; not asked where it is over already. */
  endSession(voterId: number | null): void;
}

export type AppEvent =
  | { type: 'LOGIN' }
  | { type: 'LOGOUT'; alerts?: readonly Alert[]; isEnded?: boolean }
  | { type: 'CRITICAL_DATA_READY'; critical: SessionData }
  | { type: 'PROGRESS_READY'; voterId: number; data: ProgressData };

/**
 * ```
 *  init ──▶ loggedOut ──LOGIN──▶ loggedIn { loading ──CRITICAL_DATA_READY──▶ ready }
 *    │          ◀──────LOGOUT───────┘                                        ▲
 *    └── the page came with critical data ───────────────────────────────────┘
 * ```
 * Leaving loggedIn discards the voter's data (product spec §4, App). PROGRESS_READY brings newer ballots; ballots that were asked
 * for earlier never replace later ones, whichever language either is in.
 */
export function createAppMachine(services: AppServices) {
  return setup({
    types: {
      context: {} as { critical: SessionData | null },
      input: {} as { critical: SessionData | null },
      events: {} as AppEvent,
    },
    actors: {
      load: fromPromise(async () => {
        const critical = await services.loadCriticalData();
        if (!critical) throw new Error('No critical data to be had');
        return critical;
      }),
    },
    actions: {
      keep: assign({
        critical: ({ context, event }) => {
          if (event.type !== 'CRITICAL_DATA_READY') return context.critical;
          const isSame = context.critical?.voter.voter_id === event.critical.voter.voter_id;
          return isSame && context.critical
            ? withNewestProgress(event.critical, context.critical)
            : event.critical;
        },
      }),
      keepProgress: assign({
        critical: ({ context: { critical }, event }) =>
          critical && event.type === 'PROGRESS_READY' && event.voterId === critical.voter.voter_id
            ? withNewestProgress(critical, event.data)
            : critical,
      }),
      discard: assign({ critical: null }),
      endSession: ({ context }) => services.endSession(context.critical?.voter.voter_id ?? null),
      announceLogout: () => services.announceLogout(),
    },
    guards: {
      hasCritical: ({ context }) => context.critical !== null,
      isEnded: ({ event }) => event.type === 'LOGOUT' && event.isEnded === true,
    },
  }).createMachine({
    id: 'app',
    context: ({ input }) => input,
    initial: 'init',
    states: {
      init: {
        always: [{ guard: 'hasCritical', target: 'loggedIn.ready' }, { target: 'loggedOut' }],
      },
      // After the actions of LOGOUT, which still have to know whose session ends.
      loggedOut: { entry: 'discard', on: { LOGIN: 'loggedIn' } },
      loggedIn: {
        initial: 'loading',
        on: {
          LOGOUT: [
            { guard: 'isEnded', target: 'loggedOut' },
            { target: 'loggedOut', actions: 'endSession' },
          ],
        },
        states: {
          loading: {
            invoke: {
              src: 'load',
              onDone: { actions: ({ event }) => services.announceCriticalData(event.output) },
              onError: { actions: 'announceLogout' },
            },
            on: { CRITICAL_DATA_READY: { target: 'ready', actions: 'keep' } },
          },
          ready: {
            on: {
              CRITICAL_DATA_READY: { actions: 'keep' },
              PROGRESS_READY: { actions: 'keepProgress' },
            },
          },
        },
      },
    },
  });
}

/** The voter of `data` with the ballots of whichever of the two was asked for later. */
function withNewestProgress(data: SessionData, other: ProgressData): SessionData {
  if (other.asked.at < data.asked.at) return data;
  const { progress, no_ballot_status, asked } = other;
  return { ...data, progress, no_ballot_status, asked };
}
