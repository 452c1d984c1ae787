import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Actor, createActor } from 'xstate';
import type { Alert } from '../../shell/alerts.ts';
import { createQrLoginMachine, type QrOutcome } from './qr-login.machine.ts';

const alerts: readonly Alert[] = [{ type: 'error', messages: [{ key: 'app.oops' }] }];
const born = { type: 'SUBMIT', dateOfBirth: '04-21-1968' } as const;
const settle = () => new Promise((resolve) => setTimeout(resolve));
const never = new Promise<never>(() => {});

const services = {
  checkGuid: vi.fn<() => Promise<QrOutcome | null>>(),
  signIn: vi.fn<(dateOfBirth: string) => Promise<QrOutcome>>(),
  enter: vi.fn(),
  leave: vi.fn(),
};
let actor: Actor<ReturnType<typeof createQrLoginMachine>>;

async function begin(check: Promise<QrOutcome | null>, signIn: Promise<QrOutcome> = never) {
  vi.resetAllMocks();
  services.checkGuid.mockReturnValue(check);
  services.signIn.mockReturnValue(signIn);
  actor = createActor(createQrLoginMachine(services)).start();
  await settle();
}
const now = () => [actor.getSnapshot().value, actor.getSnapshot().context.error];
const good = Promise.resolve(null);

afterEach(() => actor.stop());

describe('the code', () => {
  test('a good one leaves the form ready', async () => {
    await begin(good);
    expect(now()).toEqual(['ready', null]);
  });

  test('a bad one leaves for the first page', async () => {
    await begin(Promise.resolve({ type: 'LEAVE', alerts }));
    expect(now()).toEqual(['left', null]);
    expect(services.leave).toHaveBeenCalledExactlyOnceWith(alerts);
  });

  test('a submit does not wait for the check', async () => {
    await begin(never);
    expect(now()).toEqual(['checking', null]);
    actor.send(born);
    expect(now()).toEqual(['submitting', null]);
  });
});

describe('the date of birth', () => {
  test('must not be empty', async () => {
    await begin(good);
    actor.send({ type: 'SUBMIT', dateOfBirth: '  ' });
    expect(now()).toEqual(['error', 'empty']);
    expect(services.signIn).not.toHaveBeenCalled();
  });

  test('editing clears the error', async () => {
    await begin(good);
    actor.send({ type: 'SUBMIT', dateOfBirth: '' });
    actor.send({ type: 'EDIT' });
    expect(now()).toEqual(['ready', null]);
  });

  test('a date that matches signs in', async () => {
    await begin(good, Promise.resolve({ type: 'LOGIN' }));
    actor.send(born);
    await settle();
    expect(now()).toEqual(['entered', null]);
    expect(services.signIn).toHaveBeenCalledExactlyOnceWith('04-21-1968');
    expect(services.enter).toHaveBeenCalledTimes(1);
  });

  test('a date that does not match is an error and can be submitted again', async () => {
    await begin(good, Promise.resolve({ type: 'MISMATCH' }));
    actor.send(born);
    await settle();
    expect(now()).toEqual(['error', 'mismatch']);
    services.signIn.mockReturnValue(never);
    actor.send(born);
    expect(now()).toEqual(['submitting', null]);
  });

  test('any other failure leaves for the first page and says why', async () => {
    await begin(good, Promise.resolve({ type: 'LEAVE', alerts }));
    actor.send(born);
    await settle();
    expect(now()).toEqual(['left', null]);
    expect(services.leave).toHaveBeenCalledExactlyOnceWith(alerts);
  });
});

describe('what is not allowed', () => {
  test('a second press while submitting sends nothing more', async () => {
    await begin(good);
    actor.send(born);
    actor.send(born);
    expect(services.signIn).toHaveBeenCalledTimes(1);
  });

  test.each([{ type: 'LOGIN' }, { type: 'MISMATCH' }, { type: 'LEAVE', alerts }] as const)(
    '$type without a submit changes nothing',
    async (event) => {
      await begin(good);
      actor.send(event);
      expect(now()).toEqual(['ready', null]);
    },
  );

  test('nothing leads back from where the voter has gone', async () => {
    await begin(Promise.resolve({ type: 'LEAVE', alerts }));
    actor.send(born);
    actor.send({ type: 'EDIT' });
    expect(now()).toEqual(['left', null]);
  });
});
