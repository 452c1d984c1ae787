import fc from 'fast-check';

/** What a sender may send, from one part in five seconds on. */
export const anyLimits = fc.record({
  perSecond: fc.option(fc.oneof(fc.constantFrom(0.2, 1, 3), fc.integer({ min: 1, max: 120 }))),
  perDay: fc.option(fc.integer({ min: 1, max: 400 })),
});

export const anyMessage = fc.record({
  lane: fc.constantFrom('answers' as const, 'urgent' as const, 'news' as const),
  parts: fc.integer({ min: 1, max: 5 }),
});

/** In milliseconds, until the next look: a moment, or hours. */
export const anyWait = fc.oneof(
  fc.integer({ min: 0, max: 1_500 }),
  fc.integer({ min: 0, max: 12 * 3_600_000 }),
);
