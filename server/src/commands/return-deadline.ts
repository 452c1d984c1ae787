import type { ReturnDeadline } from '@ballot-beacon/contract/ballot-status-progress';
import { InvalidArgumentError } from 'commander';
import { CommandError, exitCodes } from './context.ts';
import { dateOption, readDayAndClock } from './dates.ts';

export interface ReturnOptions {
  readonly returnRule?: ReturnDeadline['rule'];
  readonly returnBy?: Pick<ReturnDeadline, 'date' | 'time'>;
  readonly returnPlace: string;
}

/** `received` or `postmarked` as an option's value. */
export function returnRuleOption(text: string): ReturnDeadline['rule'] {
  if (text === 'received' || text === 'postmarked') return text;
  throw new InvalidArgumentError('It must be received or postmarked.');
}

/** `12/8/2026` or `12/8/2026 19:00` as an option's value. */
export function returnByOption(text: string): Pick<ReturnDeadline, 'date' | 'time'> {
  const typed = readDayAndClock(text);
  if (!typed)
    throw new InvalidArgumentError('Use a date, or a date and a time such as 12/8/2026 19:00.');
  return { date: dateOption(typed.day), time: typed.clock };
}

/** @returns undefined when no option was given: what was announced before stays */
export function readReturnDeadline(options: ReturnOptions): ReturnDeadline | undefined {
  const { returnRule: rule, returnBy: by, returnPlace: place } = options;
  if (!rule && !by && !place) return undefined;
  if (rule && by) return { rule, ...by, place };
  throw new CommandError(
    'A return deadline needs both --return-rule and --return-by.',
    exitCodes.usage,
  );
}
