import { useEffect } from 'react';
import { useMachine } from '../ui/use-machine.ts';
import { useSignals } from './signals.ts';

type UseMachine = typeof useMachine;

/** {@link useMachine} for a region of the page: the machine also hears every signal. */
export const useRegion: UseMachine = (machine, options) => {
  const signals = useSignals();
  const [snapshot, actor] = useMachine(machine, options);
  // A machine passes over events it does not know, so each region simply names the signals it minds.
  useEffect(
    () => signals.subscribe((signal) => (actor.send as (event: object) => void)(signal)),
    [signals, actor],
  );
  return [snapshot, actor];
};
