import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { voterProfileMachine } from './voter-profile.machine.ts';

const start = () => createActor(voterProfileMachine).start();

describe('the voter profile', () => {
  it('begins closed', () => expect(start().getSnapshot().value).toBe('closed'));

  it('opens and closes by turns, and LOGOUT closes it', () => {
    const profile = start();
    profile.send({ type: 'TOGGLE' });
    expect(profile.getSnapshot().value).toBe('opened');
    profile.send({ type: 'TOGGLE' });
    expect(profile.getSnapshot().value).toBe('closed');
    profile.send({ type: 'TOGGLE' });
    profile.send({ type: 'LOGOUT' });
    expect(profile.getSnapshot().value).toBe('closed');
  });

  it.each(['CLOSE', 'LOGOUT'] as const)('is closed by %s', (type) => {
    const profile = start();
    profile.send({ type: 'TOGGLE' });
    profile.send({ type });
    expect(profile.getSnapshot().value).toBe('closed');
  });

  it.each(['CLOSE', 'LOGOUT'] as const)('is not opened by %s', (type) => {
    const profile = start();
    profile.send({ type });
    expect(profile.getSnapshot().value).toBe('closed');
  });

  it('knows of previous ballots, open or closed, until the voter logs out', () => {
    const profile = start();
    profile.send({ type: 'PAST_BALLOTS', count: 2 });
    expect(profile.getSnapshot().value).toBe('closed');
    profile.send({ type: 'TOGGLE' });
    profile.send({ type: 'PAST_BALLOTS', count: 3 });
    expect(profile.getSnapshot().value).toBe('opened');
    expect(profile.getSnapshot().context.pastBallots).toBe(3);
    profile.send({ type: 'LOGOUT' });
    expect(profile.getSnapshot().context.pastBallots).toBe(0);
  });
});
