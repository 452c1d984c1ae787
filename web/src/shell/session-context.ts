import type { CriticalData } from '@ballot-beacon/contract/bootstrap';
import { createContext, useContext } from 'react';

/** The signed-in voter's critical data; null for a visitor. */
export const SessionContext = createContext<CriticalData | null>(null);
export const useSession = () => useContext(SessionContext);
