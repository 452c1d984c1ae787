import {
  anonymousTargetingKey,
  type FlagKey,
  type Flags,
  flagCatalog,
  flagKeys,
} from '@ballot-beacon/contract/flags';
import { FlagdCore } from '@openfeature/flagd-core';

/** A flag as flagd's format defines it: https://flagd.dev/reference/flag-definitions/ */
export type FlagDefinition = Readonly<Record<string, unknown>>;

/** Whom a flag is evaluated for. `targetingKey` is `voter:STATE:COUNTY`, or `anonymous` before login. */
export interface FlagContext {
  readonly targetingKey: string;
  readonly [attribute: string]: string;
}

export const anonymousContext: FlagContext = { targetingKey: anonymousTargetingKey };

/** The identity of a signed-in voter (product spec §1). */
export function contextOfVoter(place: { state: string; county: string }): FlagContext {
  const { state, county } = place;
  return { targetingKey: `voter:${state}:${county}`, state, county };
}

export interface FlagEvaluation {
  readonly key: FlagKey;
  readonly value: boolean;
  readonly reason: string;
  readonly variant: string;
}

export interface FlagEvaluator {
  readonly evaluate: (key: FlagKey, context: FlagContext) => FlagEvaluation;
  readonly evaluateAll: (context: FlagContext) => Flags;
}

/** A definition with the same value for everyone, as `beacon flag set KEY on` stores it. */
export function defineConstant(value: boolean): FlagDefinition {
  return {
    state: 'ENABLED',
    variants: { on: true, off: false },
    defaultVariant: value ? 'on' : 'off',
  };
}

/** Why a definition cannot be used for a flag, by flagd's rules and ours; undefined if it can. */
export function findDefinitionProblem(definition: FlagDefinition): string | undefined {
  const { state, variants, defaultVariant } = definition;
  if (definition.flags !== undefined) {
    return 'it is a whole file of flagd: give the definition of the one flag, what stands after its name';
  }
  if (state !== 'ENABLED' && state !== 'DISABLED') return 'state must be ENABLED or DISABLED';
  const names = Object.keys((variants ?? {}) as object);
  if (names.length === 0)
    return 'it lacks variants, such as "variants": {"on": true, "off": false}';
  if (!Object.values(variants as object).every((variant) => typeof variant === 'boolean')) {
    return 'every variant must be true or false';
  }
  // flagd accepts a definition without one and leaves the value to each reader.
  if (typeof defaultVariant !== 'string' || !names.includes(defaultVariant)) {
    const wrong =
      defaultVariant === undefined ? 'it lacks defaultVariant, which' : 'defaultVariant';
    return `${wrong} must be one of ${names.join(', ')}`;
  }
  const core = createCore();
  try {
    core.setConfigurations(JSON.stringify({ flags: { flag: definition } }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  for (const context of [anonymousContext, contextOfVoter({ state: 'FL', county: 'Adams' })]) {
    const { errorCode, errorMessage } = core.resolveBooleanEvaluation('flag', false, {
      ...context,
    });
    if (errorCode !== undefined && definition.state !== 'DISABLED') {
      return `its targeting cannot be evaluated: ${errorMessage ?? errorCode}`;
    }
  }
  return undefined;
}

/**
 * Reads an account's definitions. A flag without a definition, or with a broken definition, has its
 * default value: a broken flag never breaks the page.
 */
export function createFlagEvaluator(
  definitions: Readonly<Partial<Record<FlagKey, FlagDefinition>>>,
): FlagEvaluator {
  const flags = Object.fromEntries(
    flagKeys.map((key) => {
      const own = definitions[key];
      const isUsable = own && findDefinitionProblem(own) === undefined;
      return [key, isUsable ? own : defineConstant(flagCatalog[key].defaultValue)];
    }),
  );
  const core = createCore();
  core.setConfigurations(JSON.stringify({ flags }));

  const evaluate = (key: FlagKey, context: FlagContext): FlagEvaluation => {
    const { defaultValue } = flagCatalog[key];
    const { value, reason, variant } = core.resolveBooleanEvaluation(key, defaultValue, {
      ...context,
    });
    return {
      key,
      value,
      reason: reason ?? 'DEFAULT',
      variant: variant ?? (value ? 'on' : 'off'),
    };
  };
  return {
    evaluate,
    evaluateAll: (context) =>
      Object.fromEntries(flagKeys.map((key) => [key, evaluate(key, context).value])) as Flags,
  };
}

/** An office's targeting rule is interpreted, never compiled into code. */
function createCore(): FlagdCore {
  return new FlagdCore(undefined, silent, { disableDynamicCodeGeneration: true });
}

const ignore = () => {};
const silent = { error: ignore, warn: ignore, info: ignore, debug: ignore };
