import type { Texts } from './translate.ts';

/** The first words of the keys of what the sign-in page says by itself. */
const groups = new Set([
  'alert',
  'app',
  'footer',
  'login',
  'modal',
  'outage',
  'skip',
  'support',
  'title',
  'topBar',
  'trust',
]);

/**
 * What the sign-in page says before anything else is fetched, the names of other screens included. It is a quarter of all
 * texts, so that the page fits into what a server sends before it waits for an answer (some 14 kB).
 */
export function pickSignInTexts(texts: Texts): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => isOfSignIn(key)));
}

function isOfSignIn(key: string): boolean {
  const [group = '', ...rest] = key.split('.');
  return groups.has(group) || rest.join('.') === 'title';
}
