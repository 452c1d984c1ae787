import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import type { Alert } from '../../shell/alerts.ts';
import { createLoginFormMachine, type LoginFormEvent } from './login-form.machine.ts';

const credentials = {
  firstname: 'Margaret',
  lastname: 'Whitfield',
  zipcode: '34811',
  birthdate: '03-14-1958',
  recaptcha: 'solved',
};
const alerts: readonly Alert[] = [{ type: 'error', messages: [{ key: 'app.oops' }] }];

const events = {
  SUBMIT: { type: 'SUBMIT', credentials },
  LOGIN: { type: 'LOGIN' },
  ERROR: { type: 'ERROR', alerts },
  AMBIGUOUS: { type: 'AMBIGUOUS', alerts },
  TOKEN: { type: 'TOKEN', alerts },
  REVERT: { type: 'REVERT' },
  LOGOUT: { type: 'LOGOUT' },
} as const satisfies Record<LoginFormEvent['type'], LoginFormEvent>;
type EventName = keyof typeof events;

/** Every transition of product spec §4, Login form. What is not here must leave the state alone. */
const transitions: Record<string, Partial<Record<EventName, string>>> = {
  hidden: { LOGOUT: 'visible' },
  visible: { SUBMIT: 'submitting' },
  submitting: { LOGIN: 'hidden', ERROR: 'error', AMBIGUOUS: 'ambiguous', TOKEN: 'token' },
  error: { SUBMIT: 'submitting' },
  ambiguous: { SUBMIT: 'ambiguousSubmitting', REVERT: 'visible' },
  ambiguousSubmitting: {
    LOGIN: 'hidden',
    ERROR: 'ambiguousError',
    AMBIGUOUS: 'ambiguous',
    TOKEN: 'token',
  },
  ambiguousError: { SUBMIT: 'ambiguousSubmitting', REVERT: 'visible' },
  token: { SUBMIT: 'tokenSubmitting', REVERT: 'visible' },
  tokenSubmitting: {
    LOGIN: 'hidden',
    ERROR: 'tokenError',
    AMBIGUOUS: 'ambiguous',
    TOKEN: 'token',
  },
  tokenError: { SUBMIT: 'tokenSubmitting', REVERT: 'visible' },
};

/** A way from the visible form to each state. */
const ways: Record<string, readonly EventName[]> = {
  hidden: ['SUBMIT', 'LOGIN'],
  visible: [],
  submitting: ['SUBMIT'],
  error: ['SUBMIT', 'ERROR'],
  ambiguous: ['SUBMIT', 'AMBIGUOUS'],
  ambiguousSubmitting: ['SUBMIT', 'AMBIGUOUS', 'SUBMIT'],
  ambiguousError: ['SUBMIT', 'AMBIGUOUS', 'SUBMIT', 'ERROR'],
  token: ['SUBMIT', 'TOKEN'],
  tokenSubmitting: ['SUBMIT', 'TOKEN', 'SUBMIT'],
  tokenError: ['SUBMIT', 'TOKEN', 'SUBMIT', 'ERROR'],
};

describe('the login form', () => {
  for (const [state, onward] of Object.entries(transitions)) {
    for (const name of Object.keys(events) as EventName[]) {
      const target = onward[name];
      it(`${name} leads from ${state} to ${target ?? state}`, () => {
        const { actor } = startAt(state);
        actor.send(events[name]);
        expect(actor.getSnapshot().value).toBe(target ?? state);
      });
    }
  }

  it('is hidden from the start for a voter who is signed in', () => {
    const { actor } = start({ isSignedIn: true });
    expect(actor.getSnapshot().value).toBe('hidden');
  });

  it.each(['ambiguous', 'ambiguousError', 'token', 'tokenError'])(
    'closes the alerts when it leaves %s',
    (state) => {
      for (const name of ['SUBMIT', 'REVERT'] as const) {
        const { actor, log } = startAt(state);
        log.length = 0;
        actor.send(events[name]);
        expect(log).toContain('alerts closed');
      }
    },
  );

  it.each(['visible', 'submitting', 'ambiguousSubmitting', 'tokenSubmitting'])(
    'leaves the alerts alone when it leaves %s without signing in',
    (state) => {
      const { actor, log } = startAt(state);
      log.length = 0;
      actor.send(state === 'visible' ? events.SUBMIT : events.ERROR);
      expect(log).not.toContain('alerts closed');
    },
  );

  it('asks for a new captcha in the error state, and finds one by itself beside the extra fields', () => {
    expect(startAt('error').log).toContain('captcha reset');
    expect(startAt('ambiguousError').log).toContain('captcha reset unseen');
    expect(startAt('tokenError').log).toContain('captcha reset unseen');
  });

  it('keeps the captcha that was solved when it asks for the voter ID or the token', () => {
    for (const state of ['ambiguous', 'token', 'ambiguousSubmitting', 'tokenSubmitting'])
      expect(startAt(state).log.filter((line) => line.startsWith('captcha'))).toEqual([]);
  });

  it.each(['ambiguous', 'ambiguousError', 'token', 'tokenError'])(
    'spends the captcha when the voter goes back from %s: another person may be next',
    (state) => {
      const { actor, log } = startAt(state);
      log.length = 0;
      actor.send(events.REVERT);
      expect(log).toContain('captcha reset unseen');
    },
  );

  it('spends the captcha of a voter who got in', () => {
    for (const state of ['submitting', 'ambiguousSubmitting', 'tokenSubmitting']) {
      const { actor, log } = startAt(state);
      log.length = 0;
      actor.send(events.LOGIN);
      expect(log).toContain('captcha reset');
    }
  });

  it('finds a new answer unseen when the extra field is asked for once more', () => {
    for (const [state, again] of [
      ['ambiguousSubmitting', events.AMBIGUOUS],
      ['tokenSubmitting', events.AMBIGUOUS],
      ['tokenSubmitting', events.TOKEN],
    ] as const) {
      const { actor, log } = startAt(state);
      log.length = 0;
      actor.send(again);
      expect(log).toContain('captcha reset unseen');
    }
  });

  it('counts what matched nobody, and no other error', () => {
    for (const state of ['submitting', 'ambiguousSubmitting', 'tokenSubmitting']) {
      const { actor, log } = startAt(state);
      actor.send(events.ERROR);
      expect(log).not.toContain('failure counted');
      const other = startAt(state);
      other.actor.send({ ...events.ERROR, isNoMatch: true });
      expect(other.log).toContain('failure counted');
    }
  });

  it('shows the alerts of every outcome but success, and leaves none behind after it', () => {
    for (const state of ['error', 'ambiguous', 'token', 'ambiguousError', 'tokenError'])
      expect(startAt(state).log).toContain('alerts shown');
    expect(startAt('hidden').log).toEqual(['alerts closed', 'login announced', 'captcha reset']);
  });

  it('follows what the server made of the try', async () => {
    const { actor } = start({ isSignedIn: false }, async () => ({ type: 'AMBIGUOUS', alerts }));
    actor.send(events.SUBMIT);
    await expect.poll(() => actor.getSnapshot().value).toBe('ambiguous');
  });
});

function startAt(state: string) {
  const started = start({ isSignedIn: false });
  for (const name of ways[state] ?? []) started.actor.send(events[name]);
  expect(started.actor.getSnapshot().value).toBe(state);
  return started;
}

function start(
  input: { isSignedIn: boolean },
  signIn: Parameters<typeof createLoginFormMachine>[0]['signIn'] = () => new Promise(() => {}),
) {
  const log: string[] = [];
  const machine = createLoginFormMachine({
    signIn,
    announceLogin: () => log.push('login announced'),
    showAlerts: () => log.push('alerts shown'),
    countFailure: () => log.push('failure counted'),
    closeAlerts: () => log.push('alerts closed'),
    resetCaptcha: () => log.push('captcha reset'),
    resetCaptchaUnseen: () => log.push('captcha reset unseen'),
  });
  const actor = createActor(machine, { input });
  actor.start();
  return { actor, log };
}
