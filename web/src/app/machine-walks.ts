import { idleLimit, warningAhead } from '../shell/idle.machine.ts';

export interface Walker {
  /** What a machine is given: a name becomes a service that is noted when it is called. */
  readonly services?: Readonly<Record<string, Service>>;
  readonly inputs?: readonly object[];
  readonly events: readonly { readonly type: string }[];
}
/** Answers what the walk says, waits until the walk gives an answer, or calls back when the walk says so. */
export type Service =
  | { readonly kind: 'noted' }
  | { readonly kind: 'waits'; readonly answers: readonly unknown[]; readonly fails?: true }
  | { readonly kind: 'measures'; readonly values: readonly unknown[] }
  | { readonly kind: 'ticks' };
const noted = { kind: 'noted' } as const;

const session = (voterId: number, at: number) => ({ voter: { voter_id: voterId }, asked: { at } });
const alerts = [{ type: 'error' }];
const signInOutcomes = [
  { type: 'LOGIN' },
  { type: 'ERROR', alerts, isNoMatch: true },
  { type: 'ERROR', alerts },
  { type: 'AMBIGUOUS', alerts },
  { type: 'TOKEN', alerts },
];

/** Each machine by its name, with what a walk through it is made of. */
export const walkers: Readonly<Record<string, Walker>> = {
  createAppMachine: {
    services: {
      loadCriticalData: { kind: 'waits', answers: [session(1, 3), null], fails: true },
      announceCriticalData: noted,
      announceLogout: noted,
      endSession: noted,
    },
    inputs: [{ critical: null }, { critical: session(1, 2) }],
    events: [
      { type: 'LOGIN' },
      { type: 'LOGOUT' },
      { type: 'LOGOUT', isEnded: true },
      ...[session(1, 1), session(1, 4), session(2, 5)].map((critical) => ({
        type: 'CRITICAL_DATA_READY',
        critical,
      })),
      { type: 'PROGRESS_READY', voterId: 1, data: { progress: [], asked: { at: 3 } } },
    ] as Walker['events'],
  },
  createLoginFormMachine: {
    services: {
      signIn: { kind: 'waits', answers: signInOutcomes },
      announceLogin: noted,
      showAlerts: noted,
      countFailure: noted,
      closeAlerts: noted,
      resetCaptcha: noted,
      resetCaptchaUnseen: noted,
    },
    inputs: [{ isSignedIn: false }, { isSignedIn: true }],
    events: [
      { type: 'SUBMIT', credentials: { lastname: 'Whitfield' } },
      { type: 'REVERT' },
      { type: 'LOGOUT' },
    ] as Walker['events'],
  },
  createIdleMachine: {
    services: {
      everySecond: { kind: 'ticks' },
      idleFor: { kind: 'measures', values: [0, idleLimit - warningAhead, idleLimit] },
      noteActivity: noted,
      keepServerAwake: noted,
      announceTimeout: noted,
      coverModals: noted,
    },
    inputs: [{ isSignedIn: false }, { isSignedIn: true }],
    events: [{ type: 'LOGIN' }, { type: 'ACTIVITY' }, { type: 'EXTEND' }, { type: 'LOGOUT' }],
  },
  createTranslationsMachine: {
    services: {
      load: {
        kind: 'waits',
        answers: [{ texts: { a: 'b' }, isReviewed: true }, null],
        fails: true,
      },
      onChange: noted,
      onFailure: noted,
    },
    inputs: [{ language: 'english', texts: {}, isReviewed: true }],
    events: ['english', 'spanish', 'somali'].map((language) => ({
      type: 'SELECT_LANGUAGE',
      language,
    })),
  },
  createPreferencesMachine: {
    services: {
      save: {
        kind: 'waits',
        answers: [
          { type: 'SUCCESS', voter: {}, alerts },
          { type: 'ERROR', alerts, validationMessages: {} },
          { type: 'EXPIRED' },
        ],
      },
      announceSaved: noted,
      announceRefused: noted,
      showAlerts: noted,
      announceLogout: noted,
    },
    inputs: [{ isReady: false }, { isReady: true }],
    events: ['LOGIN', 'CRITICAL_DATA_READY', 'SUBMIT', 'OPT_OUT_OF_ALL', 'LOGOUT'].map((type) => ({
      type,
    })),
  },
  createConfirmEmailMachine: {
    services: {
      sendCode: {
        kind: 'waits',
        answers: ['confirmed', 'refused', 'failed', 'expired'].map((type) => ({ type })),
      },
      announceConfirmed: noted,
      announceLogout: noted,
    },
    events: [{ type: 'RETRY' }],
  },
  createQrLoginMachine: {
    services: {
      checkGuid: { kind: 'waits', answers: [null, { type: 'LEAVE', alerts }] },
      signIn: {
        kind: 'waits',
        answers: [{ type: 'LOGIN' }, { type: 'MISMATCH' }, { type: 'LEAVE', alerts }],
      },
      enter: noted,
      leave: noted,
    },
    events: [
      { type: 'SUBMIT', dateOfBirth: ' ' },
      { type: 'SUBMIT', dateOfBirth: '03-14-1958' },
      { type: 'EDIT' },
    ] as Walker['events'],
  },
  createUnsubscribeMachine: {
    services: { unsubscribe: { kind: 'waits', answers: [null, { detail: 'Gone' }] } },
    inputs: [{ link: null }, { link: { key: 'a', email: 'b' } }],
    events: [{ type: 'SUBMIT' }],
  },
  globalAlertMachine: {
    events: [
      { type: 'UPDATE_GLOBAL_ALERTS', alerts },
      { type: 'UPDATE_GLOBAL_ALERTS', alerts: [] },
      { type: 'CLOSE_ALL' },
      { type: 'LOGOUT' },
      { type: 'LOGOUT', alerts },
    ] as Walker['events'],
  },
  languageMenuMachine: {
    events: ['TOGGLE', 'CLOSE', 'SELECT_LANGUAGE', 'LOGIN'].map((type) => ({ type })),
  },
  modalsMachine: {
    events: [
      { type: 'OPEN_MODAL', modal: 'faq' },
      { type: 'OPEN_MODAL', modal: 'privacy' },
      ...['CLOSE_MODAL', 'OPT_OUT_OF_ALL', 'COVER_MODALS', 'UNCOVER_MODALS', 'LOGOUT'].map(
        (type) => ({ type }),
      ),
    ] as Walker['events'],
  },
  voterProfileMachine: {
    events: [
      { type: 'TOGGLE' },
      { type: 'CLOSE' },
      { type: 'PAST_BALLOTS', count: 3 },
      { type: 'LOGOUT' },
    ] as Walker['events'],
  },
};
