import type { ImportState } from './import-store.ts';

/** What became of an import, as the end of a sentence that says why nothing is to be decided. */
const outcomes: Readonly<Record<Exclude<ImportState, 'file-held'>, string>> = {
  done: 'it was loaded without one',
  'nothing-new': 'it was the same file as the one before, and nothing changed',
  'messages-held': 'it was loaded, and only its messages are waiting',
  released: 'it was already approved and loaded',
  corrected: 'it was corrected',
  discarded: 'it was discarded',
  refused: 'it was refused, and nothing was loaded',
};

/** `Import 5 is not waiting for approval: it was discarded.` */
export function explainDecided(importId: number, state: Exclude<ImportState, 'file-held'>): string {
  return `Import ${importId} is not waiting for approval: ${outcomes[state]}.`;
}
