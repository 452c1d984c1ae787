import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseProvider, type ProviderHealth } from './rules.ts';

const now = new Date('2026-10-20T15:00:00Z');
const health = (provider: string, weight: number, pausedUntil: Date | null = null) => ({
  provider,
  weight,
  pausedUntil,
});

describe('the provider of a batch', () => {
  test('is drawn by its share of the traffic, to the point', () => {
    const healths = [health('one', 70), health('two', 30)];
    expect(chooseProvider(healths, now, 0)).toBe('one');
    expect(chooseProvider(healths, now, 0.699)).toBe('one');
    expect(chooseProvider(healths, now, 0.7)).toBe('two');
    expect(chooseProvider(healths, now, 0.999)).toBe('two');
  });

  test('is none that asks for patience, until the very moment it named', () => {
    const until = (ms: number) => [
      health('one', 100, new Date(now.getTime() + ms)),
      health('two', 0),
    ];
    expect(chooseProvider(until(1), now, 0)).toBe('two');
    expect(chooseProvider(until(0), now, 0)).toBe('one');
    expect(chooseProvider(until(-1), now, 0)).toBe('one');
    expect(chooseProvider([health('one', 100, new Date(now.getTime() + 1))], now, 0)).toBeNull();
    expect(chooseProvider([], now, 0)).toBeNull();
  });

  test('is the first open one when no share is left', () => {
    expect(chooseProvider([health('one', 0), health('two', 0)], now, 0.5)).toBe('one');
  });

  test('is never one without a share while another has one', () => {
    const healths = fc.uniqueArray(
      fc.record<ProviderHealth>({
        provider: fc.string({ minLength: 1 }),
        weight: fc.integer({ min: 0, max: 100 }),
        pausedUntil: fc.constant(null),
      }),
      { selector: ({ provider }) => provider, minLength: 1 },
    );
    fc.assert(
      fc.property(healths, fc.double({ min: 0, max: 0.999999, noNaN: true }), (all, random) => {
        const chosen = all.find(({ provider }) => provider === chooseProvider(all, now, random));
        const most = Math.max(...all.map(({ weight }) => weight));
        expect(chosen !== undefined && (chosen.weight > 0 || most === 0)).toBe(true);
      }),
    );
  });
});
