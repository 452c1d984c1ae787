import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Actor, createActor } from 'xstate';
import { buildVoterInformation } from '../../../../testing/voter-information.ts';
import {
  createPreferencesMachine,
  type PreferencesEvent,
  type SaveOutcome,
  type SaveRequest,
} from './preferences.machine.ts';

const submit: SaveRequest = { type: 'SUBMIT', patch: { language_preference: 'english' } };
const optOut: SaveRequest = { type: 'OPT_OUT_OF_ALL' };
const saved: SaveOutcome = {
  type: 'SUCCESS',
  voter: buildVoterInformation({ is_confirmed: true }),
  alerts: [{ type: 'success', messages: [] }],
};
const refused: SaveOutcome = {
  type: 'ERROR',
  alerts: [{ type: 'error', messages: [] }],
  validationMessages: { email: { format: 'No.' } },
};
const expired: SaveOutcome = { type: 'EXPIRED' };

const services = {
  save: vi.fn<(request: SaveRequest) => Promise<SaveOutcome>>(),
  announceSaved: vi.fn(),
  announceRefused: vi.fn(),
  showAlerts: vi.fn(),
  announceLogout: vi.fn(),
};
let actor: Actor<ReturnType<typeof createPreferencesMachine>>;

function begin(isReady: boolean) {
  actor = createActor(createPreferencesMachine(services), { input: { isReady } });
  actor.start();
}
const send = (...events: PreferencesEvent[]) => {
  for (const event of events) actor.send(event);
  return actor.getSnapshot().value;
};
const settle = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  vi.resetAllMocks();
  services.save.mockReturnValue(new Promise(() => {}));
});
afterEach(() => actor.stop());

describe('before a voter is known', () => {
  test('the form is hidden until LOGIN, then waits for critical data', () => {
    begin(false);
    expect(send()).toBe('hidden');
    expect(send({ type: 'LOGIN' })).toBe('waiting');
    expect(send({ type: 'CRITICAL_DATA_READY' })).toEqual({ form: 'init' });
  });

  test.each([submit, optOut, { type: 'CRITICAL_DATA_READY' }] as PreferencesEvent[])(
    '$type does nothing while hidden',
    (event) => {
      begin(false);
      expect(send(event)).toBe('hidden');
      expect(services.save).not.toHaveBeenCalled();
    },
  );

  test.each([submit, optOut] as PreferencesEvent[])('$type does nothing while waiting', (event) => {
    begin(false);
    expect(send({ type: 'LOGIN' }, event)).toBe('waiting');
    expect(services.save).not.toHaveBeenCalled();
  });

  test('LOGOUT while waiting hides the form', () => {
    begin(false);
    expect(send({ type: 'LOGIN' }, { type: 'LOGOUT' })).toBe('hidden');
  });

  test('a voter whose data came with the page has the form at once', () => {
    begin(true);
    expect(send()).toEqual({ form: 'init' });
  });
});

describe('saving', () => {
  beforeEach(() => begin(true));

  test('SUBMIT saves what changed', () => {
    expect(send(submit)).toEqual({ form: 'submitting' });
    expect(services.save).toHaveBeenCalledExactlyOnceWith(submit);
  });

  test('OPT_OUT_OF_ALL saves too', () => {
    expect(send(optOut)).toEqual({ form: 'submitting' });
    expect(services.save).toHaveBeenCalledExactlyOnceWith(optOut);
  });

  test('a second press while submitting sends nothing more', () => {
    expect(send(submit, submit, optOut)).toEqual({ form: 'submitting' });
    expect(services.save).toHaveBeenCalledTimes(1);
  });

  test('success returns to init and announces the saved voter', async () => {
    services.save.mockResolvedValue(saved);
    send(submit);
    await settle();
    expect(send()).toEqual({ form: 'init' });
    expect(services.announceSaved).toHaveBeenCalledExactlyOnceWith(saved.voter);
    expect(services.showAlerts).toHaveBeenCalledExactlyOnceWith(saved.alerts);
  });

  test('an error goes to error, with its messages, and success after it to init', async () => {
    services.save.mockResolvedValueOnce(refused);
    services.save.mockResolvedValueOnce(saved);
    expect(send()).toEqual({ form: 'init' });
    expect(send(submit)).toEqual({ form: 'submitting' });
    await settle();
    expect(send()).toEqual({ form: 'error' });
    expect(services.announceRefused).toHaveBeenCalledExactlyOnceWith(refused.validationMessages);
    expect(services.showAlerts).toHaveBeenCalledExactlyOnceWith(refused.alerts);
    expect(send(submit)).toEqual({ form: 'submitting' });
    await settle();
    expect(send()).toEqual({ form: 'init' });
  });

  test('opting out of all is possible after an error', async () => {
    services.save.mockResolvedValueOnce(refused);
    send(submit);
    await settle();
    expect(send(optOut)).toEqual({ form: 'submitting' });
  });

  test('an expired session logs out', async () => {
    services.save.mockResolvedValue(expired);
    send(submit);
    await settle();
    expect(send()).toBe('hidden');
    expect(services.announceLogout).toHaveBeenCalledTimes(1);
  });

  test('LOGOUT hides the form from init, submitting and error', async () => {
    expect(send({ type: 'LOGOUT' })).toBe('hidden');
    actor.stop();
    begin(true);
    expect(send(submit, { type: 'LOGOUT' })).toBe('hidden');
    actor.stop();
    begin(true);
    services.save.mockResolvedValueOnce(refused);
    send(submit);
    await settle();
    expect(send({ type: 'LOGOUT' })).toBe('hidden');
  });

  test('what comes back after a LOGOUT is passed over', async () => {
    services.save.mockResolvedValue(saved);
    send(submit, { type: 'LOGOUT' });
    await settle();
    expect(send()).toBe('hidden');
    expect(services.announceSaved).not.toHaveBeenCalled();
  });

  test.each([saved, refused, expired])('$type without a submit changes nothing', (event) => {
    expect(send(event)).toEqual({ form: 'init' });
    expect(services.showAlerts).not.toHaveBeenCalled();
  });

  test('LOGIN and CRITICAL_DATA_READY leave a form that is open as it is', () => {
    expect(send({ type: 'LOGIN' }, { type: 'CRITICAL_DATA_READY' })).toEqual({ form: 'init' });
  });
});
