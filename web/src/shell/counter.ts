import type { CountedName } from '@ballot-beacon/contract/analytics';

/** What an office may learn of how its site is used: which page, never whose (decisions, Analytics). */
export interface Analytics {
  pageView(name: CountedName): void;
  event(name: CountedName): void;
}
