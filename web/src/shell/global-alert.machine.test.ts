import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import type { Alert } from './alerts.ts';
import { globalAlertMachine } from './global-alert.machine.ts';

const saved: readonly Alert[] = [{ type: 'success', messages: [{ key: 'saved' }] }];
const failed: readonly Alert[] = [{ type: 'error', messages: [{ key: 'failed' }] }];

function start(alerts?: readonly Alert[]) {
  const banner = createActor(globalAlertMachine).start();
  if (alerts) banner.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts });
  return banner;
}

describe('the alert banner', () => {
  it('begins closed', () => expect(start().getSnapshot().value).toBe('closed'));

  it('is opened by UPDATE_GLOBAL_ALERTS with what it says', () => {
    const banner = start(saved);
    expect(banner.getSnapshot().value).toBe('opened');
    expect(banner.getSnapshot().context.alerts).toBe(saved);
  });

  it('shows only the newest alerts', () => {
    const banner = start(saved);
    banner.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: failed });
    expect(banner.getSnapshot().value).toBe('opened');
    expect(banner.getSnapshot().context.alerts).toBe(failed);
  });

  it('is closed by an update without alerts', () => {
    const banner = start(saved);
    banner.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: [] });
    expect(banner.getSnapshot().value).toBe('closed');
  });

  it.each(['CLOSE_ALL', 'LOGOUT'] as const)('is closed, all alerts at once, by %s', (type) => {
    const banner = start([...saved, ...failed]);
    banner.send({ type });
    expect(banner.getSnapshot().value).toBe('closed');
    expect(banner.getSnapshot().context.alerts).toEqual([]);
  });

  it('says why when a LOGOUT has a reason, open or closed', () => {
    for (const banner of [start(), start(saved)]) {
      banner.send({ type: 'LOGOUT', alerts: failed });
      expect(banner.getSnapshot().value).toBe('opened');
      expect(banner.getSnapshot().context.alerts).toBe(failed);
    }
  });

  it.each(['CLOSE_ALL', 'LOGOUT'] as const)('is not opened by %s', (type) => {
    const banner = start();
    banner.send({ type });
    expect(banner.getSnapshot().value).toBe('closed');
  });
});
