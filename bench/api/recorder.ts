import { pg } from '../../testing/sql.ts';

export interface Statement {
  readonly text: string;
  /** As they were given to pg. */
  readonly values: readonly unknown[];
}

/** What one round trip sends: mostly the binding to an account, and what is bound. */
export type Trip = readonly Statement[];

export interface Recorder {
  /** What was sent since the last time. */
  take(): Trip[];
  stop(): void;
}

/** What pg's connection has and its types lack. */
interface Wire {
  parse(message: { name: string; text: string }): void;
  bind(message: { statement?: string; values?: readonly unknown[] }): void;
  sync(): void;
  query(text: string): void;
}

/**
 * From now on writes down what this process sends to PostgreSQL, at the last place before the socket, so that the product
 * knows nothing of it.
 */
export function recordTrips(): Recorder {
  let trips: Trip[] = [];
  const texts = new WeakMap<Wire, Map<string, string>>();
  const open = new WeakMap<Wire, Statement[]>();
  const wire = pg.Connection.prototype as unknown as Wire;
  const { parse, bind, sync, query } = wire;
  wire.parse = function (message) {
    const own = texts.get(this) ?? new Map<string, string>();
    texts.set(this, own.set(message.name || '', message.text));
    return parse.call(this, message);
  };
  wire.bind = function (message) {
    const text = texts.get(this)?.get(message.statement || '') ?? '';
    open.set(this, [...(open.get(this) ?? []), { text, values: message.values ?? [] }]);
    return bind.call(this, message);
  };
  wire.sync = function () {
    trips.push(open.get(this) ?? []);
    open.delete(this);
    return sync.call(this);
  };
  wire.query = function (text) {
    trips.push([{ text, values: [] }]);
    return query.call(this, text);
  };
  return {
    take() {
      const taken = trips;
      trips = [];
      return taken;
    },
    stop: () => Object.assign(wire, { parse, bind, sync, query }),
  };
}
