import { expect, test, vi } from 'vitest';
import { createActor } from 'xstate';
import { createUnsubscribeMachine, type MailedLink, type Refused } from './unsubscribe.machine.ts';

const link = { key: 'k-1', email: 'ida@example.com' };
const settle = () => new Promise((resolve) => setTimeout(resolve));

function begin(of: MailedLink, ...answers: (Refused | null)[]) {
  const unsubscribe = vi.fn(async () => answers.shift() ?? null);
  const actor = createActor(createUnsubscribeMachine({ unsubscribe }), { input: { link: of } });
  return { actor: actor.start(), unsubscribe };
}

test('opening the link sends nothing', async () => {
  const { actor, unsubscribe } = begin(link);
  await settle();
  expect(actor.getSnapshot().value).toBe('idle');
  expect(unsubscribe).not.toHaveBeenCalled();
});

test('the button sends key and email, once, and ends in success', async () => {
  const { actor, unsubscribe } = begin(link, null);
  actor.send({ type: 'SUBMIT' });
  expect(actor.getSnapshot().value).toBe('loading');
  actor.send({ type: 'SUBMIT' });
  await settle();
  expect(actor.getSnapshot().value).toBe('success');
  expect(unsubscribe).toHaveBeenCalledExactlyOnceWith(link);
  actor.send({ type: 'SUBMIT' });
  expect(actor.getSnapshot().value).toBe('success');
});

test("a refusal ends in error with the server's detail, and a second try in success", async () => {
  const { actor } = begin(link, { detail: 'This link is not ours.' }, null);
  expect(actor.getSnapshot().value).toBe('idle');
  actor.send({ type: 'SUBMIT' });
  expect(actor.getSnapshot().value).toBe('loading');
  await settle();
  expect(actor.getSnapshot().value).toBe('error');
  expect(actor.getSnapshot().context.detail).toBe('This link is not ours.');
  actor.send({ type: 'SUBMIT' });
  await settle();
  expect(actor.getSnapshot().value).toBe('success');
});

test('a link without key or email is an error that nothing can be sent from', async () => {
  const { actor, unsubscribe } = begin(null);
  expect(actor.getSnapshot().value).toBe('error');
  actor.send({ type: 'SUBMIT' });
  await settle();
  expect(actor.getSnapshot().value).toBe('error');
  expect(unsubscribe).not.toHaveBeenCalled();
});
