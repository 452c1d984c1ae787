import { assign, type EventObject, fromCallback, setup } from 'xstate';

export interface IdleServices {
  /** Calls back each second until the returned function is called, and at once when a sleeping tab wakes. */
  everySecond(onTick: () => void): () => void;
  /** Milliseconds since the voter last did something, in whichever tab. */
  idleFor(): number;
  /** Records that the voter is active now, for all tabs of the browser. */
  noteActivity(): void;
  /** Pings the server, when it is time to, because the voter is still there. */
  keepServerAwake(isUrgent: boolean): void;
  announceTimeout(): void;
  /** One dialog at a time: an open one makes room for the warning, and comes back when it ends. */
  coverModals(isCovered: boolean): void;
}

export type IdleEvent =
  | { type: 'LOGIN' }
  | { type: 'TICK' }
  | { type: 'ACTIVITY' }
  | { type: 'EXTEND' }
  | { type: 'LOGOUT' };

/** 24 minutes without activity end a session (product spec §9). */
export const idleLimit = 1_440_000;
/** The warning comes this many milliseconds before the end (WCAG 2.2.1). */
export const warningAhead = 120_000;

/**
 * ```
 *          LOGIN, or the page came signed in
 *  off ────────────────────────▶ watching ──TICK: idle for 22 minutes──▶ warning
 *   ▲                             │  ▲ ACTIVITY begins anew                 │ │
 *   │                             │  └─ EXTEND; TICK: active in another tab ┘ │
 *   ◀── LOGOUT ───────────────────┴───────────────────────────────────────────┤
 *   ◀── TICK: idle for 24 minutes; the time-out is announced ─────────────────┘  (from watching too: a tab that slept)
 * ```
 * While the warning is shown only EXTEND counts, so that touching the mouse by accident does not close it unread.
 */
export function createIdleMachine(services: IdleServices) {
  const timeOut = { guard: isOver, target: '#idle.off', actions: 'announceTimeout' } as const;
  return setup({
    types: {
      input: {} as { isSignedIn: boolean },
      context: {} as { isSignedIn: boolean; idleFor: number },
      events: {} as IdleEvent,
    },
    actors: {
      clock: fromCallback<EventObject>(({ sendBack }) =>
        services.everySecond(() => sendBack({ type: 'TICK' })),
      ),
    },
    actions: {
      measure: assign({ idleFor: () => services.idleFor() }),
      beginAnew: assign({ idleFor: 0 }),
      noteActivity: () => services.noteActivity(),
      keepServerAwake: () => services.keepServerAwake(false),
      wakeServer: () => services.keepServerAwake(true),
      announceTimeout: () => services.announceTimeout(),
      coverModals: () => services.coverModals(true),
      uncoverModals: () => services.coverModals(false),
    },
    guards: { isSignedIn: ({ context }) => context.isSignedIn },
  }).createMachine({
    id: 'idle',
    context: ({ input }) => ({ ...input, idleFor: 0 }),
    initial: 'start',
    states: {
      start: { always: [{ guard: 'isSignedIn', target: 'on' }, { target: 'off' }] },
      off: { on: { LOGIN: 'on' } },
      on: {
        entry: ['beginAnew', 'noteActivity'],
        invoke: { src: 'clock' },
        on: { LOGOUT: 'off', TICK: { actions: 'measure' } },
        initial: 'watching',
        states: {
          watching: {
            always: [timeOut, { guard: isNear, target: 'warning' }],
            on: {
              TICK: { actions: ['measure', 'keepServerAwake'] },
              ACTIVITY: { actions: ['beginAnew', 'noteActivity'] },
            },
          },
          warning: {
            entry: 'coverModals',
            exit: 'uncoverModals',
            always: [timeOut, { guard: isFar, target: 'watching' }],
            on: { EXTEND: { actions: ['beginAnew', 'noteActivity', 'wakeServer'] } },
          },
        },
      },
    },
  });
}

interface Measured {
  readonly context: { readonly idleFor: number };
}
const isOver = ({ context }: Measured) => context.idleFor >= idleLimit;
const isNear = ({ context }: Measured) => context.idleFor >= idleLimit - warningAhead;
const isFar = (measured: Measured) => !isNear(measured);
