import pino, { type DestinationStream } from 'pino';
import { type LogEvent, type LogFields, logEvents } from './log-events.ts';

/** Writes declared events and nothing else, one JSON line each. */
export interface Log {
  write<Event extends LogEvent>(event: Event, fields: LogFields<Event>): void;
}

export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  return {
    write(event, fields) {
      const { level: eventLevel, fields: allowed } = logEvents[event];
      const kept = Object.fromEntries(
        (allowed as readonly string[]).map((name) => [
          name,
          (fields as Record<string, unknown>)[name],
        ]),
      );
      logger[eventLevel]({ event, ...kept });
    },
  };
}

/**
 * A stack without the error's own message, which may quote a voter's data (a database names the failing value).
 */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames.slice(0, 8).map((line) => line.trim())].join(' | ');
}

/** A failure's code, such as PostgreSQL's `23505` or `ECONNREFUSED`; else its class name. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : error instanceof Error ? error.name : typeof error;
}
