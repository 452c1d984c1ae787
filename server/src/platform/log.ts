import process from 'node:process';
import pino, { type DestinationStream } from 'pino';
import { type LogEvent, type LogFields, logEvents, type PlainText } from './log-events.ts';

/** Writes declared events and nothing else, one JSON line each; to a terminal, one readable line each. */
export interface Log {
  write<Event extends LogEvent, const Fields>(event: Event, fields: LogFields<Event, Fields>): void;
}

export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = pino(options, destination ?? (process.stdout.isTTY ? terminal : process.stdout));
  return {
    write(event, fields) {
      const { level: eventLevel, fields: declared } = logEvents[event];
      if (!logger.isLevelEnabled(eventLevel)) return;
      const kept: Record<string, unknown> = { event };
      for (const name of declared) kept[name] = (fields as Record<string, unknown>)[name];
      logger[eventLevel](kept);
    },
  };
}

const terminal: DestinationStream = {
  write(line) {
    const { level, time, event, ...fields } = JSON.parse(line) as Record<string, unknown>;
    const name = pino.levels.labels[Number(level)] ?? '';
    const rest = Object.entries(fields).map(([field, value]) => `${field}=${String(value)}`);
    process.stdout.write(
      `${String(time).slice(11, 19)} ${name.padEnd(5)} ${[event, ...rest].join(' ')}\n`,
    );
  },
};

/**
 * Declares that a text was made by the system (a route, a provider's name, a number from an error's code) and
 * can hold nothing of a voter's. Literals need no voucher.
 */
export function plainText(text: string): PlainText {
  return text as PlainText;
}

/**
 * A stack without the error's own message, which may quote a voter's data (a database names the failing value).
 */
export function stackOf(error: unknown): PlainText {
  if (!(error instanceof Error)) return plainText(typeof error);
  // A line of a message may look like a frame.
  const stack = (error.stack ?? '').replace(error.message, '');
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return plainText([error.name, ...frames.slice(0, 8).map((line) => line.trim())].join(' | '));
}

/** A failure's code, such as PostgreSQL's `23505` or `ECONNREFUSED`; else its class name. */
export function codeOf(error: unknown): PlainText {
  const code = (error as { code?: unknown } | null)?.code;
  const isCode = typeof code === 'string' && /^\w{1,64}$/.test(code);
  return plainText(isCode ? code : error instanceof Error ? error.name : typeof error);
}
