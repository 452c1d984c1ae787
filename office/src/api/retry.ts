import { CallError } from './client.ts';

/** What was refused stays refused; only a missing answer is worth another try. @param count of those that were made again */
export const isWorthAnotherTry = (count: number, error: unknown): boolean =>
  error instanceof CallError && error.status === 0 && count < 2;
