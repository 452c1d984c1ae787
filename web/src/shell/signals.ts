import type { Language } from '@ballot-beacon/contract/languages';
import { createContext, useContext } from 'react';
import type { ProgressData, SessionData } from '../api/critical-data.ts';
import type { Alert } from './alerts.ts';
import type { ModalName } from './modals/modals.machine.ts';

/** What one region of the page announces to all others (product spec §4). */
export type Signal =
  | { type: 'LOGIN' }
  /** `isEnded`: the session is over already, or another tab's now; the server is not asked to end it. */
  | { type: 'LOGOUT'; alerts?: readonly Alert[]; isEnded?: boolean }
  | { type: 'CRITICAL_DATA_READY'; critical: SessionData }
  /** Ballots that were fetched after the critical data. */
  | { type: 'PROGRESS_READY'; voterId: number; data: ProgressData }
  | { type: 'UPDATE_GLOBAL_ALERTS'; alerts: readonly Alert[] }
  | { type: 'CLOSE_ALL' }
  | { type: 'SELECT_LANGUAGE'; language: Language }
  | { type: 'OPEN_MODAL'; modal: ModalName }
  /** The idle warning needs the place of the open modal, until it has gone. */
  | { type: 'COVER_MODALS' }
  | { type: 'UNCOVER_MODALS' }
  /** The voter has answered the last question before no more news. */
  | { type: 'OPT_OUT_OF_ALL' }
  /** The voter has done something: the session's time begins anew. */
  | { type: 'ACTIVITY' }
  /** How many ballots of past elections there are, once known. */
  | { type: 'PAST_BALLOTS'; count: number };

export interface Signals {
  send(signal: Signal): void;
  subscribe(listener: (signal: Signal) => void): () => void;
}

/** Every listener gets every signal, in order, also signals sent while another is being delivered. */
export function createSignals(): Signals {
  const listeners = new Set<(signal: Signal) => void>();
  const waiting: Signal[] = [];
  let isTelling = false;
  return {
    send(signal) {
      waiting.push(signal);
      if (isTelling) return;
      isTelling = true;
      try {
        for (let next = waiting.shift(); next; next = waiting.shift())
          for (const listener of listeners) listener(next);
      } finally {
        isTelling = false;
        waiting.length = 0;
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const SignalsContext = createContext<Signals>(createSignals());
export const useSignals = () => useContext(SignalsContext);
