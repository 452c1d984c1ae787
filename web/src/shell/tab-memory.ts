/** What the tabs of a browser tell each other. No name and nothing a voter typed is ever kept here. */
export type TabMemoryKey =
  /** When the voter last did something, in milliseconds since 1970. */
  | 'lastActivity'
  /** When a tab last reported activity to the server, in milliseconds since 1970. */
  | 'lastPing'
  /** The number of the voter who is signed in; absent when nobody is. */
  | 'voter'
  /** The number of a voter who logged out, 'null' where it was not known, while the server does not know yet. */
  | 'ending'
  /** The number of the voter who asked for a contact code, and when, in milliseconds since 1970. */
  | 'codeAsked';

const prefix = 'beacon.';
/** Stands in where the browser keeps nothing (private windows, no room, a server render): the tab then agrees with itself. */
const own = new Map<string, string>();

export function recall(key: TabMemoryKey): string | null {
  // Without room the browser still reads, and knows nothing or what is old.
  const ownValue = own.get(key);
  if (ownValue !== undefined) return ownValue;
  try {
    return localStorage.getItem(prefix + key);
  } catch {
    return null;
  }
}

export function remember(key: TabMemoryKey, value: string): void {
  own.delete(key);
  try {
    localStorage.setItem(prefix + key, value);
  } catch {
    own.set(key, value);
  }
}

export function discard(key: TabMemoryKey): void {
  own.delete(key);
  try {
    localStorage.removeItem(prefix + key);
  } catch {
    // Where nothing can be kept there is nothing to take away.
  }
}

/** Calls back when another tab changed the value of `key`; null when it was discarded. */
export function onOtherTab(
  key: TabMemoryKey,
  onChange: (value: string | null) => void,
): () => void {
  const listen = (event: StorageEvent) => {
    // A null key says that everything was cleared.
    if (event.key === prefix + key) onChange(event.newValue);
    else if (event.key === null) onChange(null);
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
