import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor } from 'xstate';
import { createIdleMachine, idleLimit, warningAhead } from './idle.machine.ts';

/** A browser whose clock the test turns; its tabs share one timestamp. */
function createBrowser() {
  let now = 0;
  let lastActivity = 0;
  const openTab = ({ isSignedIn = true } = {}) => {
    let tick = () => {};
    let isTicking = false;
    const services = {
      everySecond(onTick: () => void) {
        tick = onTick;
        isTicking = true;
        return () => {
          isTicking = false;
        };
      },
      idleFor: () => now - lastActivity,
      noteActivity: vi.fn(() => {
        lastActivity = now;
      }),
      keepServerAwake: vi.fn(),
      announceTimeout: vi.fn(),
      coverModals: vi.fn(),
    };
    const idle = createActor(createIdleMachine(services), { input: { isSignedIn } }).start();
    return {
      idle,
      services,
      tick: () => isTicking && tick(),
      isTicking: () => isTicking,
      state: () => idle.getSnapshot().value,
    };
  };
  return { openTab, wait: (milliseconds: number) => (now += milliseconds) };
}

const minute = 60_000;
let browser: ReturnType<typeof createBrowser>;
beforeEach(() => {
  browser = createBrowser();
});

describe('the idle watch', () => {
  it('keeps to 24 minutes, checked each second, with a warning two minutes ahead', () => {
    expect(idleLimit).toBe(1_440_000);
    expect(warningAhead).toBe(120_000);
  });

  it('is off while nobody is signed in, and passes over activity then', () => {
    const tab = browser.openTab({ isSignedIn: false });
    expect(tab.state()).toBe('off');
    for (const type of ['ACTIVITY', 'EXTEND', 'TICK', 'LOGOUT'] as const) tab.idle.send({ type });
    expect(tab.state()).toBe('off');
    expect(tab.services.noteActivity).not.toHaveBeenCalled();
  });

  it('begins at LOGIN, or with a page that came signed in, and stops at LOGOUT', () => {
    const tab = browser.openTab({ isSignedIn: false });
    expect(tab.isTicking()).toBe(false);
    tab.idle.send({ type: 'LOGIN' });
    expect(tab.state()).toEqual({ on: 'watching' });
    expect(tab.isTicking()).toBe(true);
    tab.idle.send({ type: 'LOGOUT' });
    expect(tab.state()).toBe('off');
    expect(tab.isTicking()).toBe(false);
    expect(browser.openTab().state()).toEqual({ on: 'watching' });
  });

  it('counts a page that is opened as activity, however old the timestamp it finds', () => {
    browser.wait(5 * 24 * 60 * minute);
    const tab = browser.openTab();
    tab.tick();
    expect(tab.state()).toEqual({ on: 'watching' });
    expect(tab.services.announceTimeout).not.toHaveBeenCalled();
  });

  it('warns after 22 minutes and logs out after 24', () => {
    const tab = browser.openTab();
    browser.wait(22 * minute - 1);
    tab.tick();
    expect(tab.state()).toEqual({ on: 'watching' });
    browser.wait(1);
    tab.tick();
    expect(tab.state()).toEqual({ on: 'warning' });
    browser.wait(2 * minute - 1);
    tab.tick();
    expect(tab.state()).toEqual({ on: 'warning' });
    expect(tab.services.announceTimeout).not.toHaveBeenCalled();
    browser.wait(1);
    tab.tick();
    expect(tab.state()).toBe('off');
    expect(tab.services.announceTimeout).toHaveBeenCalledOnce();
    expect(tab.isTicking()).toBe(false);
  });

  it('begins anew with each activity', () => {
    const tab = browser.openTab();
    browser.wait(21 * minute);
    tab.idle.send({ type: 'ACTIVITY' });
    browser.wait(21 * minute);
    tab.tick();
    expect(tab.state()).toEqual({ on: 'watching' });
  });

  it('is extended from the warning, and pings the server at once', () => {
    const tab = browser.openTab();
    browser.wait(23 * minute);
    tab.tick();
    tab.idle.send({ type: 'EXTEND' });
    expect(tab.state()).toEqual({ on: 'watching' });
    expect(tab.services.keepServerAwake).toHaveBeenLastCalledWith(true);
    browser.wait(21 * minute);
    tab.tick();
    expect(tab.state()).toEqual({ on: 'watching' });
  });

  it('does not let a mere movement take the warning away', () => {
    const tab = browser.openTab();
    browser.wait(23 * minute);
    tab.tick();
    tab.idle.send({ type: 'ACTIVITY' });
    expect(tab.state()).toEqual({ on: 'warning' });
  });

  it('has no use for EXTEND while there is no warning', () => {
    const tab = browser.openTab();
    tab.services.noteActivity.mockClear();
    tab.idle.send({ type: 'EXTEND' });
    expect(tab.services.noteActivity).not.toHaveBeenCalled();
  });

  it('is of one mind in all tabs: activity in one keeps the others, and takes their warning away', () => {
    const [here, there] = [browser.openTab(), browser.openTab()];
    browser.wait(22.5 * minute);
    here.tick();
    expect(here.state()).toEqual({ on: 'warning' });
    there.idle.send({ type: 'ACTIVITY' });
    here.tick();
    expect(here.state()).toEqual({ on: 'watching' });
  });

  it('logs a tab out that slept through the warning', () => {
    const tab = browser.openTab();
    browser.wait(3 * 60 * minute);
    tab.tick();
    expect(tab.state()).toBe('off');
    expect(tab.services.announceTimeout).toHaveBeenCalledOnce();
  });

  it.each([0, 23])('stops at LOGOUT, %i minutes in', (minutes) => {
    const tab = browser.openTab();
    browser.wait(minutes * minute);
    tab.tick();
    tab.idle.send({ type: 'LOGOUT' });
    expect(tab.state()).toBe('off');
    expect(tab.isTicking()).toBe(false);
    expect(tab.services.announceTimeout).not.toHaveBeenCalled();
  });

  it.each(['EXTEND', 'LOGOUT'] as const)(
    'covers other dialogs while it warns, until %s',
    (type) => {
      const tab = browser.openTab();
      expect(tab.services.coverModals).not.toHaveBeenCalled();
      browser.wait(22 * minute);
      tab.tick();
      expect(tab.services.coverModals.mock.calls).toEqual([[true]]);
      tab.idle.send({ type });
      expect(tab.services.coverModals.mock.calls).toEqual([[true], [false]]);
    },
  );

  it('keeps the server awake while the voter is there', () => {
    const tab = browser.openTab();
    tab.tick();
    expect(tab.services.keepServerAwake).toHaveBeenLastCalledWith(false);
  });
});
