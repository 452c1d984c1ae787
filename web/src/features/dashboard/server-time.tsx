import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { ProgressData } from '../../api/critical-data.ts';

/** How often what is left until a deadline is counted again, in milliseconds. */
const countEvery = 30_000;

const ServerTimeContext = createContext<number | null>(null);

/**
 * Lets what is inside count by the server's clock. The first render is at the moment of the server's answer, so that the
 * browser finds what the server rendered, and a device whose clock is wrong counts the days that are really left.
 */
export function ServerTime({ data, children }: { data: ProgressData; children: ReactNode }) {
  const { progress, asked } = data;
  const answeredAt = Date.parse(progress.answered_at);
  const ahead = answeredAt - asked.clock;
  const [now, setNow] = useState(answeredAt);
  useEffect(() => {
    const count = () => setNow(Date.now() + ahead);
    count();
    const timer = setInterval(count, countEvery);
    return () => clearInterval(timer);
  }, [ahead]);
  return <ServerTimeContext value={now}>{children}</ServerTimeContext>;
}

/** The server's time, in milliseconds since 1970, renewed twice a minute: what is left counts down by itself. */
export function useServerTime(): number {
  const now = useContext(ServerTimeContext);
  if (now === null) throw new Error('useServerTime outside <ServerTime>');
  return now;
}
