/**
 * In place of XState in the built page: runs the machines of `*.machine.ts` in an eighth of its bytes. The machines are
 * written, typed and tested with XState; app/state-charts.machine.test.ts takes both through the same events.
 *
 * Known here is what those machines use: nested states, guards, `assign`, `entry`, `exit`, `always`, `reenter`, and
 * invoked promises and callbacks. That test refuses a machine that uses more.
 */

import {
  type Action,
  type Assignment,
  type Context,
  changesOf,
  type Event,
  find,
  findTarget,
  type Invocation,
  isIn,
  lineTo,
  listOf,
  type MachineConfig,
  type Many,
  type Named,
  type State,
  type StateConfig,
  stateOf,
  type Transitions,
  type Value,
  valueIn,
  type Work,
} from './state-chart.ts';

interface Machine {
  readonly root: State;
  readonly context: MachineConfig['context'];
  readonly named: Named;
}

interface Snapshot {
  readonly value: Value;
  readonly context: Context;
  matches(value: Value): boolean;
}

const done = 'xstate.done.actor';
const failed = 'xstate.error.actor';

export const setup = (named: Named) => ({
  createMachine({ context, ...config }: MachineConfig): Machine {
    return { root: stateOf(config.id ?? '', config, null), context, named };
  },
});

export const assign = (changes: Assignment['changes']): Assignment => ({ changes });

export const fromCallback = (work: Work): Work => work;

export const fromPromise =
  (promise: (begun: { input: unknown }) => PromiseLike<unknown>): Work =>
  ({ input, sendBack }) => {
    promise({ input }).then(
      (output) => sendBack({ type: done, output } as Event),
      (error: unknown) => sendBack({ type: failed, error } as Event),
    );
  };

/**
 * The first snapshot is there at once. Actions and invoked work begin with `start`, when events that came before are
 * taken too, and end with `stop`. A machine in which an action throws stops.
 */
export function createActor(
  { root, context: given = {}, named }: Machine,
  options?: { readonly input?: unknown },
) {
  let context = typeof given === 'function' ? given({ input: options?.input }) : given;
  /** The innermost state that the machine is in. */
  let current = root;
  let snapshot: Snapshot;
  let phase: 'new' | 'running' | 'stopped' = 'new';
  let isBusy = false;
  const waiting: { readonly event: Event; readonly by: State | null }[] = [];
  /** What begins and ends work, once the snapshot is the new one and the machine runs. */
  const works: (() => void)[] = [];
  /** Effects of the first states, for when the machine runs. */
  const effects: (() => void)[] = [];
  const ends = new Map<State, () => void>();
  const listeners = new Set<(snapshot: Snapshot) => void>();

  const act = (actions: Many<Action>, event: Event) => {
    for (const action of listOf(actions)) {
      const effect = typeof action === 'string' ? find(named.actions, action) : action;
      const scope = { context, event };
      if (typeof effect !== 'function') context = { ...context, ...changesOf(effect, scope) };
      else if (phase === 'running') effect(scope);
      else effects.push(() => effect(scope));
    }
  };

  const invoke = (state: State, { src, input }: Invocation, event: Event) => {
    const begin = find(named.actors, src);
    const asked = input?.({ context, event });
    let isWanted = true;
    let end: unknown;
    ends.set(state, () => {
      isWanted = false;
      works.push(() => {
        if (typeof end === 'function') end();
      });
    });
    const sendBack = (sent: Event) => {
      if (isWanted) take(sent, state);
    };
    works.push(() => {
      if (isWanted) end = begin({ input: asked, sendBack });
    });
  };

  const enter = (state: State, event: Event) => {
    current = state;
    act(state.config.entry, event);
    if (state.config.invoke) invoke(state, state.config.invoke, event);
  };

  const enterInitial = (event: Event) => {
    for (let { initial } = current.config; initial !== undefined; { initial } = current.config)
      enter(find(current.states, initial), event);
  };

  const leave = (state: State, event: Event) => {
    act(state.config.exit, event);
    ends.get(state)?.();
    ends.delete(state);
    current = state.parent ?? root;
  };

  /** @returns the first transition that its guard lets pass, of the innermost state that has one. */
  const choose = (
    event: Event,
    transitionsOf: (config: StateConfig, state: State) => Transitions,
  ) => {
    for (const source of lineTo(current).reverse())
      for (const listed of listOf(transitionsOf(source.config, source))) {
        const transition = typeof listed === 'string' ? { target: listed } : listed;
        const { guard = () => true } = transition;
        const isOpen = typeof guard === 'string' ? find(named.guards, guard) : guard;
        if (isOpen({ context, event })) return { source, transition };
      }
    return null;
  };

  const follow = ({ source, transition }: NonNullable<ReturnType<typeof choose>>, event: Event) => {
    const { target, actions, reenter } = transition;
    if (target === undefined) return act(actions, event);
    const way = lineTo(findTarget(target, source, root));
    // What leads inside its own state does not leave it, unless it says so.
    const stays =
      way.includes(source) && !reenter
        ? source
        : lineTo(source).findLast((state) => state !== source && way.slice(0, -1).includes(state));
    while (current !== (stays ?? root)) leave(current, event);
    act(actions, event);
    for (const state of way.slice(way.indexOf(current) + 1)) enter(state, event);
    enterInitial(event);
  };

  /** @returns whether there was a transition to take. */
  const step = (event: Event, by: State | null): boolean => {
    const chosen = choose(event, ({ on, invoke }, state) => {
      if (state === by && event.type === done) return invoke?.onDone;
      if (state === by && event.type === failed) return invoke?.onError;
      return on?.[event.type];
    });
    if (chosen) follow(chosen, event);
    else if ('error' in event && event.type === failed) throw event.error;
    return settle(event) || chosen !== null;
  };

  const settle = (event: Event): boolean => {
    const choice = () => choose(event, ({ always }) => always);
    let chosen = choice();
    const hasAny = chosen !== null;
    for (; chosen; chosen = choice()) follow(chosen, event);
    return hasAny;
  };

  const publish = () => {
    const value = valueIn(current);
    snapshot = { value, context, matches: (wanted) => isIn(wanted, value) };
  };

  const work = () => {
    for (let next = works.shift(); next; next = works.shift()) next();
  };

  const run = () => {
    if (phase !== 'running' || isBusy) return;
    isBusy = true;
    try {
      work();
      for (const effect of effects.splice(0)) effect();
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (!step(next.event, next.by)) continue;
        publish();
        work();
        for (const listener of listeners) listener(snapshot);
      }
    } catch (error) {
      actor.stop();
      // The sender goes on: a region that broke must not keep a signal from the others.
      setTimeout(() => {
        throw error;
      });
    } finally {
      isBusy = false;
    }
  };

  const take = (event: Event, by: State | null) => {
    if (phase === 'stopped') return;
    waiting.push({ event, by });
    run();
  };

  const actor = {
    getSnapshot: () => snapshot,
    start() {
      phase = 'running';
      run();
      return actor;
    },
    stop() {
      phase = 'stopped';
      waiting.length = 0;
      for (const end of ends.values()) end();
      ends.clear();
      work();
      return actor;
    },
    send: (event: Event) => take(event, null),
    subscribe(listener: (snapshot: Snapshot) => void) {
      listeners.add(listener);
      return { unsubscribe: () => listeners.delete(listener) };
    },
  };

  const init = { type: 'xstate.init' };
  enter(root, init);
  enterInitial(init);
  settle(init);
  publish();
  return actor;
}
