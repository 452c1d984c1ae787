import { createContext, useContext } from 'react';
import type { SessionData } from '../api/critical-data.ts';

/** The signed-in voter's critical data; null for a visitor. */
export const SessionContext = createContext<SessionData | null>(null);
export const useSession = () => useContext(SessionContext);
