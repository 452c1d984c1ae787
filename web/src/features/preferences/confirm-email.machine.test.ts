import { expect, test, vi } from 'vitest';
import { createActor } from 'xstate';
import { buildVoterInformation } from '../../../../testing/voter-information.ts';
import { oopsAlert } from '../../shell/alerts.ts';
import { type ConfirmOutcome, createConfirmEmailMachine } from './confirm-email.machine.ts';

const voter = buildVoterInformation({ is_valid_email: true });
const settle = () => new Promise((resolve) => setTimeout(resolve));

function begin(...outcomes: ConfirmOutcome[]) {
  const services = {
    sendCode: vi.fn(async () => outcomes.shift() as ConfirmOutcome),
    announceConfirmed: vi.fn(),
    announceLogout: vi.fn(),
  };
  const actor = createActor(createConfirmEmailMachine(services));
  return { actor, services };
}

test('the code of the link is sent once, when the page runs', async () => {
  const { actor, services } = begin({ type: 'confirmed', voter });
  expect(services.sendCode).not.toHaveBeenCalled();
  actor.start();
  expect(actor.getSnapshot().value).toBe('sending');
  await settle();
  expect(actor.getSnapshot().value).toBe('done');
  expect(services.sendCode).toHaveBeenCalledTimes(1);
  expect(services.announceConfirmed).toHaveBeenCalledExactlyOnceWith(voter);
});

test('a code that is not good is refused for good', async () => {
  const { actor, services } = begin({ type: 'refused' });
  actor.start();
  await settle();
  actor.send({ type: 'RETRY' });
  expect(actor.getSnapshot().value).toBe('refused');
  expect(services.sendCode).toHaveBeenCalledTimes(1);
});

test('a failed try can be repeated', async () => {
  const { actor, services } = begin(
    { type: 'failed', alert: oopsAlert() },
    { type: 'confirmed', voter },
  );
  actor.start();
  await settle();
  expect(actor.getSnapshot().value).toBe('failed');
  actor.send({ type: 'RETRY' });
  expect(actor.getSnapshot().value).toBe('sending');
  await settle();
  expect(services.announceConfirmed).toHaveBeenCalledTimes(1);
});

test('an expired session logs out', async () => {
  const { actor, services } = begin({ type: 'expired' });
  actor.start();
  await settle();
  expect(services.announceLogout).toHaveBeenCalledTimes(1);
  expect(services.announceConfirmed).not.toHaveBeenCalled();
});
