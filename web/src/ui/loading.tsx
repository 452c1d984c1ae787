import { useEffect, useState } from 'react';

/** After this long, in milliseconds, a wait counts as slow and says so. */
const slowAfter = 6000;

/** A wait with words: what is going on and, when it takes long, that it still is. */
export function Loading({ text, slowText }: { text: string; slowText: string }) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowAfter);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      <p>{slow ? slowText : text}</p>
    </div>
  );
}
