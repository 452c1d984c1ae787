import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as xstate from 'xstate';
import * as charts from '../ui/state-charts.ts';
import { type Service, type Walker, walkers } from './machine-walks.ts';

/**
 * The built page runs its machines with ui/state-charts.ts, in place of XState. Each machine is taken through drawn
 * events with both: states, contexts and the calls of others must be the same, in the same order.
 */
type Library = typeof xstate;
const libraries = { XState: xstate, 'the page': charts as unknown as Library };

const machineFiles = import.meta.glob<Readonly<Record<string, unknown>>>('../**/*.machine.ts');

afterEach(() => {
  vi.useRealTimers();
  vi.doUnmock('xstate');
  vi.resetModules();
});

describe('the page runs its machines as XState does:', () => {
  it('every machine is walked', async () => {
    expect(Object.keys(await loadMachines(xstate)).toSorted()).toEqual(
      Object.keys(walkers).toSorted(),
    );
  });

  it.each(Object.entries(walkers))('%s', async (name, walker) => {
    const [first, second] = [await loadMachines(xstate), await loadMachines(libraries['the page'])];
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(fc.nat(), { maxLength: 20 }), async (start, steps) => {
        const there = await walk(xstate, first[name], walker, start, steps);
        const here = await walk(libraries['the page'], second[name], walker, start, steps);
        expect(here).toEqual(there);
      }),
      { numRuns: 150 },
    );
  });

  it('no machine uses what the page does not know', async () => {
    const known = {
      state: ['id', 'context', 'initial', 'states', 'on', 'always', 'entry', 'exit', 'invoke'],
      transition: ['target', 'guard', 'actions', 'reenter'],
      invocation: ['src', 'input', 'onDone', 'onError'],
    };
    for (const [name, made] of Object.entries(await loadMachines(xstate))) {
      const { config } = machineOf(made, {});
      const unknown = listKeys(config).filter(
        // `setup` of XState adds the schemas itself.
        ({ kind, key }) => key !== 'schemas' && !(known[kind] as readonly string[]).includes(key),
      );
      expect([name, unknown]).toEqual([name, []]);
    }
  });
});

describe.each(Object.entries(libraries))('%s', (_, { setup, createActor }) => {
  const start = (call: (name: string) => void, events: readonly string[]) => {
    const machine = setup({
      actions: { fail: () => call('fail') },
    }).createMachine({
      initial: 'a',
      entry: () => call('enter'),
      states: { a: { on: { GO: 'b' } }, b: { entry: 'fail', on: { GO: 'a' } } },
    });
    const actor = createActor(machine);
    for (const type of events) actor.send({ type });
    return actor;
  };

  it('does nothing before it starts, and takes then what was sent before', () => {
    const called: string[] = [];
    const actor = start((name) => called.push(name), ['GO', 'NOBODY']);
    expect([actor.getSnapshot().value, called]).toEqual(['a', []]);
    actor.start();
    expect([actor.getSnapshot().value, called]).toEqual(['b', ['enter', 'fail']]);
  });

  it('notifies listeners of a change until they leave', () => {
    const actor = start(() => {}, []).start();
    const values: unknown[] = [];
    const { unsubscribe } = actor.subscribe(({ value }) => values.push(value));
    actor.send({ type: 'GO' });
    unsubscribe();
    actor.send({ type: 'GO' });
    expect(values).toEqual(['b']);
  });

  it('an action that throws is an error of the page, not of the sender', () => {
    vi.useFakeTimers();
    const actor = start((name) => {
      if (name === 'fail') throw new Error('broken');
    }, []).start();
    actor.send({ type: 'GO' });
    expect(() => vi.runAllTimers()).toThrow('broken');
  });
});

type Made = Readonly<Record<string, unknown>>;

async function loadMachines(library: Library): Promise<Made> {
  vi.resetModules();
  vi.doMock('xstate', () => library);
  const modules = await Promise.all(Object.values(machineFiles).map((load) => load()));
  const made = modules.flatMap((module) => Object.entries(module));
  return Object.fromEntries(made.filter(([name]) => /^create.*Machine$|Machine$/.test(name)));
}

const machineOf = (made: unknown, services: object): xstate.AnyStateMachine =>
  typeof made === 'function' ? made(services) : (made as xstate.AnyStateMachine);

interface Pending {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** @returns what was to be seen after each step: state, context, and what was asked of others. */
async function walk(
  { createActor }: Library,
  made: unknown,
  { services = {}, inputs = [{}], events }: Walker,
  start: number,
  steps: readonly number[],
): Promise<unknown[]> {
  const calls: unknown[] = [];
  const pending = new Map<Service, Pending[]>();
  const ticks = new Set<() => void>();
  let measured: unknown = 0;
  const answerAs = (service: Service) => {
    if (service.kind === 'measures') return measured;
    if (service.kind !== 'waits') return undefined;
    return new Promise((resolve, reject) => {
      pending.set(service, [...(pending.get(service) ?? []), { resolve, reject }]);
    });
  };
  const given = Object.fromEntries(
    Object.entries(services).map(([name, service]) => [
      name,
      (...parts: unknown[]) => {
        const [onTick] = parts;
        if (service.kind === 'ticks' && typeof onTick === 'function') {
          const tick = () => onTick();
          ticks.add(tick);
          calls.push(`${name} begins`);
          return () => {
            ticks.delete(tick);
            calls.push(`${name} ends`);
          };
        }
        calls.push([name, ...parts]);
        return answerAs(service);
      },
    ]),
  );
  const actor = createActor(machineOf(made, given), { input: inputs[start % inputs.length] });

  const doings: (() => void)[] = events.map((event) => () => actor.send(event));
  for (const service of Object.values(services)) {
    if (service.kind === 'waits') {
      for (const answer of service.answers)
        doings.push(() => pending.get(service)?.shift()?.resolve(answer));
      if (service.fails)
        doings.push(() => pending.get(service)?.shift()?.reject(new Error('no network')));
    }
    if (service.kind === 'ticks')
      doings.push(() => {
        for (const tick of ticks) tick();
      });
    if (service.kind === 'measures')
      for (const value of service.values)
        doings.push(() => {
          measured = value;
        });
  }

  const seen: unknown[] = [];
  const look = () => {
    const { value, context } = actor.getSnapshot();
    seen.push({ value, context, calls: [...calls] });
  };
  look();
  const early = start % 3 === 0 ? steps.slice(0, 2) : [];
  for (const step of early)
    if (step % doings.length < events.length) doings[step % doings.length]?.();
  look();
  actor.start();
  for (const step of steps) {
    doings[step % doings.length]?.();
    for (let turn = 0; turn < 10; turn += 1) await null;
    look();
  }
  actor.stop();
  for (const [service, waiting] of pending)
    for (const { resolve } of waiting) resolve(service.kind === 'waits' && service.answers[0]);
  look();
  return seen;
}

type Kind = 'state' | 'transition' | 'invocation';

/** What the configuration of a state and of those inside it names. */
function listKeys(state: Readonly<Record<string, unknown>>): { kind: Kind; key: string }[] {
  const keysOf = (kind: Kind, thing: object) => Object.keys(thing).map((key) => ({ kind, key }));
  const transitionsOf = (listed: unknown) =>
    [listed]
      .flat()
      .flatMap((one) => (typeof one === 'object' && one !== null ? keysOf('transition', one) : []));
  const {
    on = {},
    always,
    invoke,
    states = {},
  } = state as {
    on?: Readonly<Record<string, unknown>>;
    always?: unknown;
    invoke?: { onDone?: unknown; onError?: unknown };
    states?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  return [
    ...keysOf('state', state),
    ...Object.values(on).flatMap(transitionsOf),
    ...transitionsOf(always),
    ...(invoke
      ? [
          ...keysOf('invocation', invoke),
          ...transitionsOf(invoke.onDone),
          ...transitionsOf(invoke.onError),
        ]
      : []),
    ...Object.values(states).flatMap(listKeys),
  ];
}
