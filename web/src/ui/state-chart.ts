/** A chart of states as XState writes it, and the ways in it. */

export interface Event {
  readonly type: string;
}
export type Context = Readonly<Record<string, unknown>>;
export interface Scope {
  readonly context: Context;
  readonly event: Event;
}
export interface Begun {
  readonly input: unknown;
  /** Passed over once the state that invoked the work was left. */
  readonly sendBack: (event: Event) => void;
}
/** Begins work, and may return how to end it. */
export type Work = (begun: Begun) => unknown;

export type Many<T> = T | readonly T[] | undefined;
export type Effect = (scope: Scope) => void;
export interface Assignment {
  readonly changes: ((scope: Scope) => Context) | Readonly<Record<string, unknown>>;
}
export type Action = string | Effect | Assignment;
export type Guard = string | ((scope: Scope) => boolean);
export interface Transition {
  readonly target?: string;
  readonly guard?: Guard;
  readonly actions?: Many<Action>;
  readonly reenter?: boolean;
}
export type Transitions = Many<string | Transition>;
export interface Invocation {
  readonly src: string;
  readonly input?: (scope: Scope) => unknown;
  readonly onDone?: Transitions;
  readonly onError?: Transitions;
}

export interface StateConfig {
  readonly id?: string;
  readonly initial?: string;
  readonly states?: Readonly<Record<string, StateConfig>>;
  readonly on?: Readonly<Record<string, Transitions>>;
  readonly always?: Transitions;
  readonly entry?: Many<Action>;
  readonly exit?: Many<Action>;
  readonly invoke?: Invocation;
}
export interface MachineConfig extends StateConfig {
  readonly context?: Context | ((begun: { input: unknown }) => Context);
}
/** What a machine calls by name. */
export interface Named {
  readonly actions?: Readonly<Record<string, Effect | Assignment>>;
  readonly guards?: Readonly<Record<string, Exclude<Guard, string>>>;
  readonly actors?: Readonly<Record<string, Work>>;
}
/** A state with those around it and inside it; the outermost is the machine itself. */
export interface State {
  readonly key: string;
  readonly config: StateConfig;
  readonly parent: State | null;
  readonly states: Readonly<Record<string, State>>;
}

export type Value = string | { readonly [key: string]: Value };

export function stateOf(key: string, config: StateConfig, parent: State | null): State {
  const states: Record<string, State> = {};
  const state = { key, config, parent, states };
  for (const [name, inner] of Object.entries(config.states ?? {}))
    states[name] = stateOf(name, inner, state);
  return state;
}

export const listOf = <T>(many: Many<T>): readonly T[] =>
  many === undefined ? [] : Array.isArray(many) ? many : [many as T];

export function find<T>(among: Readonly<Record<string, T>> | undefined, name: string): T {
  const found = among?.[name];
  if (found === undefined) throw new Error(`A machine names ${name}, which it does not have`);
  return found;
}

/** A state and all around it, the outermost first. */
export const lineTo = (state: State | null): State[] =>
  state ? [...lineTo(state.parent), state] : [];

/** `#machine.path`, `.inside`, or a path from beside the state that the transition is of. */
export function findTarget(target: string, source: State, root: State): State {
  const [first = '', ...path] = target.split('.');
  if (first === '') return path.reduce(inside, source);
  if (first === `#${root.key}`) return path.reduce(inside, root);
  return [first, ...path].reduce(inside, source.parent ?? root);
}

const inside = (state: State, name: string) => find(state.states, name);

export function changesOf({ changes }: Assignment, scope: Scope): Context {
  if (typeof changes === 'function') return changes(scope);
  const results = Object.entries(changes).map(([name, change]) => [
    name,
    typeof change === 'function' ? change(scope) : change,
  ]);
  return Object.fromEntries(results);
}

/** `a`, or `{ a: 'b' }` for b inside a. */
export function valueIn(state: State): Value {
  const [, ...keys] = lineTo(state).map(({ key }) => key);
  return keys.reduceRight<Value>((value, key) => (value === '' ? key : { [key]: value }), '');
}

export function isIn(wanted: Value, value: Value): boolean {
  if (typeof wanted === 'string')
    return typeof value === 'string' ? value === wanted : Object.hasOwn(value, wanted);
  if (typeof value === 'string') return false;
  return Object.entries(wanted).every(([key, inner]) => {
    const found = value[key];
    return found !== undefined && isIn(inner, found);
  });
}
