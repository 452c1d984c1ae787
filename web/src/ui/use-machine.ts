import { useEffect, useState, useSyncExternalStore } from 'react';
import {
  type Actor,
  type ActorOptions,
  type AnyStateMachine,
  createActor,
  type SnapshotFrom,
} from 'xstate';

/**
 * Runs a machine for as long as a component is mounted: the one place where React meets XState.
 *
 * The first snapshot is there at once, so that the server render shows the same as the browser's first paint;
 * actions and invoked work begin only in a browser. `machine` and `options` are read once.
 */
export function useMachine<M extends AnyStateMachine>(
  machine: M,
  options?: ActorOptions<M>,
): [SnapshotFrom<M>, Actor<M>] {
  const [actor] = useState(() => createActor(machine, ...([options] as never)));
  useEffect(() => {
    actor.start();
    return () => {
      actor.stop();
    };
  }, [actor]);
  const snapshot = useSyncExternalStore(
    (onChange) => {
      const subscription = actor.subscribe(onChange);
      return () => subscription.unsubscribe();
    },
    () => actor.getSnapshot(),
    () => actor.getSnapshot(),
  );
  return [snapshot, actor];
}
