import { defaultFlags, type FlagKey, flagKeys } from '@ballot-beacon/contract/flags';
import { describe, expect, test } from 'vitest';
import {
  anonymousContext,
  contextOfVoter,
  createFlagEvaluator,
  defineConstant,
  findDefinitionProblem,
} from './rules.ts';

const adams = contextOfVoter({ state: 'FL', county: 'Adams' });

describe('feature flags', () => {
  test('an office that sets no flags has the defaults', () => {
    expect(createFlagEvaluator({}).evaluateAll(adams)).toEqual(defaultFlags);
  });

  test.each(flagKeys)('%s can be turned on and off', (key: FlagKey) => {
    for (const value of [true, false]) {
      const evaluator = createFlagEvaluator({ [key]: defineConstant(value) });
      expect(evaluator.evaluateAll(anonymousContext)).toEqual({ ...defaultFlags, [key]: value });
    }
  });

  test('a flag can be on only for the voters of one county', () => {
    const definition = {
      ...defineConstant(false),
      targeting: { if: [{ '==': [{ var: 'county' }, 'Adams'] }, 'on', 'off'] },
    };
    const evaluator = createFlagEvaluator({ tabbedBallots: definition });
    expect(evaluator.evaluate('tabbedBallots', adams)).toMatchObject({
      value: true,
      variant: 'on',
      reason: 'TARGETING_MATCH',
    });
    const lake = contextOfVoter({ state: 'FL', county: 'Lake' });
    expect(evaluator.evaluate('tabbedBallots', lake).value).toBe(false);
    expect(evaluator.evaluate('tabbedBallots', anonymousContext).value).toBe(false);
  });

  test('a disabled flag and a broken definition fall back to the default', () => {
    const disabled = { ...defineConstant(true), state: 'DISABLED' };
    expect(createFlagEvaluator({ voterOutage: disabled }).evaluateAll(adams)).toEqual(defaultFlags);
    for (const broken of [
      {},
      { state: 'ENABLED' },
      { variants: { on: 'yes' }, state: 'ENABLED' },
    ]) {
      expect(createFlagEvaluator({ voterOutage: broken }).evaluateAll(adams)).toEqual(defaultFlags);
      expect(findDefinitionProblem(broken)).toBeTypeOf('string');
    }
  });

  test.each([
    [
      'that does not say which variant is the default',
      { defaultVariant: undefined },
      /lacks defaultVariant.* on, off/,
    ],
    [
      'whose default is no variant',
      { defaultVariant: 'maybe' },
      /defaultVariant must be one of on, off/,
    ],
    ['without variants', { variants: {} }, /lacks variants/],
    ['inside a whole file of them', { flags: {} }, /whole file of flagd/],
    ['whose variants are texts', { variants: { on: 'yes', off: 'no' } }, /true or false/],
    [
      'in a state that flagd does not have',
      { state: 'PERHAPS' },
      /state must be ENABLED or DISABLED/,
    ],
    [
      'with an unknown targeting rule',
      { targeting: { if: [{ 'no-such': [] }, 'on'] } },
      /targeting/,
    ],
    [
      'whose targeting leads to no variant',
      { targeting: { if: [true, 'blue'] } },
      /targeting.*blue/,
    ],
  ])('a definition %s is refused with what is wrong', (_what, part, problem) => {
    expect(findDefinitionProblem({ ...defineConstant(true), ...part })).toMatch(problem);
  });

  test('a targeting rule that cannot be evaluated never breaks the page', () => {
    const definition = { ...defineConstant(true), targeting: { if: [{ 'no-such': [] }, 'on'] } };
    const { voterOutage } = createFlagEvaluator({ voterOutage: definition }).evaluateAll(adams);
    expect(voterOutage).toBe(defaultFlags.voterOutage);
  });
});
