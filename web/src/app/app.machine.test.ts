import { describe, expect, it, vi } from 'vitest';
import { createActor } from 'xstate';
import type { ProgressData, SessionData } from '../api/critical-data.ts';
import { createAppMachine } from './app.machine.ts';

const asked = { language: 'english', at: 2, clock: 2 } as const;
const hers = { voter: { voter_id: 1 }, asked } as SessionData;
const renewed = { voter: { voter_id: 1, is_confirmed: true }, asked } as SessionData;
const progressAt = (at: number) =>
  ({
    progress: { ballots: [], as_of: String(at), answered_at: '2026-11-23T12:00:00Z' },
    no_ballot_status: null,
    asked: { language: 'spanish', at, clock: at },
  }) as ProgressData;

interface Start {
  critical?: SessionData | null;
  load?: () => Promise<SessionData | null>;
}

function startApp({ critical = null, load = () => new Promise(() => {}) }: Start = {}) {
  const services = {
    loadCriticalData: vi.fn(load),
    announceCriticalData: vi.fn(),
    announceLogout: vi.fn(),
    endSession: vi.fn(),
  };
  const app = createActor(createAppMachine(services), { input: { critical } }).start();
  return { app, services };
}

const state = ({ app }: ReturnType<typeof startApp>) => app.getSnapshot();

describe('the app', () => {
  it('begins logged out where the page came without a session', () => {
    const started = startApp();
    expect(state(started).value).toBe('loggedOut');
    expect(state(started).context.critical).toBeNull();
  });

  it('begins logged in, without a further call, where the page came with critical data', () => {
    const started = startApp({ critical: hers });
    expect(state(started).value).toEqual({ loggedIn: 'ready' });
    expect(started.services.loadCriticalData).not.toHaveBeenCalled();
  });

  it('fetches the critical data at LOGIN, is ready with them, and is logged out by LOGOUT', async () => {
    const started = startApp({ load: async () => hers });
    expect(state(started).value).toBe('loggedOut');
    started.app.send({ type: 'LOGIN' });
    expect(state(started).value).toEqual({ loggedIn: 'loading' });
    await vi.waitFor(() =>
      expect(started.services.announceCriticalData).toHaveBeenCalledWith(hers),
    );
    started.app.send({ type: 'CRITICAL_DATA_READY', critical: hers });
    expect(state(started).value).toEqual({ loggedIn: 'ready' });
    expect(state(started).context.critical).toBe(hers);
    started.app.send({ type: 'LOGOUT' });
    expect(state(started).value).toBe('loggedOut');
  });

  it.each([
    ['cannot be had', async () => null],
    ['break the call', () => Promise.reject(new Error('no network'))],
  ])('announces a log-out when the critical data %s', async (_, load) => {
    const started = startApp({ load });
    started.app.send({ type: 'LOGIN' });
    await vi.waitFor(() => expect(started.services.announceLogout).toHaveBeenCalledOnce());
    started.app.send({ type: 'LOGOUT' });
    expect(state(started).value).toBe('loggedOut');
    expect(started.services.endSession).toHaveBeenCalledOnce();
  });

  it('takes later data of the same voter in while it is ready', () => {
    const started = startApp({ critical: hers });
    started.app.send({ type: 'CRITICAL_DATA_READY', critical: renewed });
    expect(state(started).context.critical).toMatchObject(renewed);
  });

  it('shows the ballots that were asked for last, whichever answer comes last', () => {
    const started = startApp({ critical: hers });
    started.app.send({ type: 'PROGRESS_READY', voterId: 1, data: progressAt(5) });
    expect(state(started).context.critical?.asked).toEqual(progressAt(5).asked);
    started.app.send({ type: 'PROGRESS_READY', voterId: 1, data: progressAt(4) });
    started.app.send({ type: 'CRITICAL_DATA_READY', critical: renewed });
    expect(state(started).context.critical).toMatchObject({
      voter: renewed.voter,
      progress: { as_of: '5' },
    });
  });

  it('shows no ballots of a voter who was signed in before', () => {
    const started = startApp({ critical: hers });
    started.app.send({ type: 'PROGRESS_READY', voterId: 2, data: progressAt(5) });
    expect(state(started).context.critical).toBe(hers);
    started.app.send({ type: 'LOGOUT' });
    started.app.send({ type: 'PROGRESS_READY', voterId: 1, data: progressAt(6) });
    expect(state(started).context.critical).toBeNull();
  });

  it('mixes no ballots of the voter before into the data of another voter', () => {
    const started = startApp({ critical: hers });
    started.app.send({ type: 'PROGRESS_READY', voterId: 1, data: progressAt(5) });
    const theirs = { voter: { voter_id: 2 }, asked } as SessionData;
    started.app.send({ type: 'CRITICAL_DATA_READY', critical: theirs });
    expect(state(started).context.critical).toBe(theirs);
  });

  it('discards the voter at LOGOUT and ends the session on the server', () => {
    const started = startApp({ critical: hers });
    started.app.send({ type: 'LOGOUT' });
    expect(state(started).value).toBe('loggedOut');
    expect(state(started).context.critical).toBeNull();
    expect(started.services.endSession).toHaveBeenCalledExactlyOnceWith(hers.voter.voter_id);
  });

  it('leaves a session alone that has ended already or is another tab’s', () => {
    const started = startApp({ critical: hers });
    started.app.send({ type: 'LOGOUT', isEnded: true });
    expect(state(started).value).toBe('loggedOut');
    expect(state(started).context.critical).toBeNull();
    expect(started.services.endSession).not.toHaveBeenCalled();
  });

  it('never shows data that arrive after the log-out', async () => {
    let arrive: (critical: SessionData) => void = () => {};
    const started = startApp({
      load: () =>
        new Promise((resolve) => {
          arrive = resolve;
        }),
    });
    started.app.send({ type: 'LOGIN' });
    started.app.send({ type: 'LOGOUT' });
    arrive(hers);
    await Promise.resolve();
    expect(started.services.announceCriticalData).not.toHaveBeenCalled();
    started.app.send({ type: 'CRITICAL_DATA_READY', critical: hers });
    expect(state(started).value).toBe('loggedOut');
    expect(state(started).context.critical).toBeNull();
  });

  it('passes over a LOGOUT when nobody is logged in, and a LOGIN when someone is', () => {
    const loggedOut = startApp();
    loggedOut.app.send({ type: 'LOGOUT' });
    expect(state(loggedOut).value).toBe('loggedOut');
    expect(loggedOut.services.endSession).not.toHaveBeenCalled();

    const loggedIn = startApp({ critical: hers });
    loggedIn.app.send({ type: 'LOGIN' });
    expect(state(loggedIn).value).toEqual({ loggedIn: 'ready' });
    expect(loggedIn.services.loadCriticalData).not.toHaveBeenCalled();
  });
});
