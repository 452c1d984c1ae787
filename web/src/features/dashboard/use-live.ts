import { type LiveEvent, livePath } from '@ballot-beacon/contract/live';
import { useEffect, useRef, useState } from 'react';

/** After the server had no room for a stream, in milliseconds. */
const askAgainAfter = 5 * 60_000;

/**
 * Learns from the server that there may be news of the ballots, as long as the page is in sight. A hidden page has no stream, and
 * leaving the dashboard, as logging out does, ends it.
 *
 * @param asOf of the ballots on the page
 * @param onNews called once per change, at a random time when many pages are open
 * @returns whether news comes by itself
 */
export function useLive(asOf: string | null, onNews: () => void): boolean {
  const [isLive, setLive] = useState(false);
  const now = useRef({ asOf, onNews });
  now.current = { asOf, onNews };

  useEffect(() => {
    let source: EventSource | undefined;
    let again: number | undefined;
    let due: number | undefined;

    const stop = () => {
      source?.close();
      source = undefined;
      clearTimeout(again);
      clearTimeout(due);
      due = undefined;
      setLive(false);
    };
    const onEvent = ({ data }: MessageEvent<string>) => {
      const { as_of: newest, within_ms: within = 0 } = JSON.parse(data) as LiveEvent;
      setLive(true);
      // What came between the page and its stream.
      if (newest !== undefined && newest === now.current.asOf) return;
      due ??= window.setTimeout(() => {
        due = undefined;
        now.current.onNews();
      }, Math.random() * within);
    };
    const start = () => {
      if (source || document.visibilityState === 'hidden') return;
      clearTimeout(again);
      source = new EventSource(livePath);
      source.onmessage = onEvent;
      source.onerror = () => {
        setLive(false);
        // Otherwise the browser connects again by itself.
        if (source?.readyState !== EventSource.CLOSED) return;
        source = undefined;
        again = window.setTimeout(start, askAgainAfter);
      };
    };
    const onVisibility = () => (document.visibilityState === 'hidden' ? stop() : start());

    start();
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('pagehide', stop);
    window.addEventListener('pageshow', start);
    window.addEventListener('offline', stop);
    window.addEventListener('online', start);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('pagehide', stop);
      window.removeEventListener('pageshow', start);
      window.removeEventListener('offline', stop);
      window.removeEventListener('online', start);
    };
  }, []);
  return isLive;
}
