import type { CriticalData } from '@ballot-beacon/contract/bootstrap';
import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { createAppMachine } from './app.machine.ts';

const critical = { voter: { firstname: 'Margaret' } } as CriticalData;

describe('the app', () => {
  it('starts logged out for a visitor and logged in for a voter with a session', () => {
    expect(start().actor.getSnapshot().value).toBe('loggedOut');
    expect(start({ critical }).actor.getSnapshot().value).toEqual({ loggedIn: 'ready' });
  });

  it('fetches the critical data on LOGIN and is ready with them', async () => {
    const { actor, log } = start({ load: async () => critical });
    actor.send({ type: 'LOGIN' });
    expect(actor.getSnapshot().value).toEqual({ loggedIn: 'loading' });
    await expect.poll(() => log).toContain('critical data announced');
    actor.send({ type: 'CRITICAL_DATA_READY', critical });
    expect(actor.getSnapshot().value).toEqual({ loggedIn: 'ready' });
    expect(actor.getSnapshot().context.critical).toBe(critical);
  });

  it('announces a log-out when the critical data cannot be had', async () => {
    const { actor, log } = start({ load: async () => null });
    actor.send({ type: 'LOGIN' });
    await expect.poll(() => log).toContain('logout announced');
  });

  it('forgets the voter and ends the session on LOGOUT, from loading and from ready', () => {
    for (const { actor, log } of [start({ critical }), startLoading()]) {
      actor.send({ type: 'LOGOUT' });
      expect(actor.getSnapshot().value).toBe('loggedOut');
      expect(actor.getSnapshot().context.critical).toBeNull();
      expect(log).toEqual(['session ended']);
    }
  });

  it('takes newer critical data while the voter is there', () => {
    const { actor } = start({ critical });
    const newer = { voter: { firstname: 'Darnell' } } as CriticalData;
    actor.send({ type: 'CRITICAL_DATA_READY', critical: newer });
    expect(actor.getSnapshot().context.critical).toBe(newer);
  });

  it('shows nobody’s data that arrive after a log-out', () => {
    const { actor } = startLoading();
    actor.send({ type: 'LOGOUT' });
    actor.send({ type: 'CRITICAL_DATA_READY', critical });
    expect(actor.getSnapshot().value).toBe('loggedOut');
    expect(actor.getSnapshot().context.critical).toBeNull();
  });

  it('minds no second LOGIN and no LOGOUT of a visitor', () => {
    const visitor = start();
    visitor.actor.send({ type: 'LOGOUT' });
    expect(visitor.actor.getSnapshot().value).toBe('loggedOut');
    expect(visitor.log).toEqual([]);
    const voter = start({ critical });
    voter.actor.send({ type: 'LOGIN' });
    expect(voter.actor.getSnapshot().value).toEqual({ loggedIn: 'ready' });
  });
});

function startLoading() {
  const started = start();
  started.actor.send({ type: 'LOGIN' });
  return started;
}

function start(
  options: { critical?: CriticalData; load?: () => Promise<CriticalData | null> } = {},
) {
  const log: string[] = [];
  const machine = createAppMachine({
    loadCriticalData: options.load ?? (() => new Promise(() => {})),
    announceCriticalData: () => log.push('critical data announced'),
    announceLogout: () => log.push('logout announced'),
    endSession: () => log.push('session ended'),
  });
  const actor = createActor(machine, { input: { critical: options.critical ?? null } });
  actor.start();
  return { actor, log };
}
