import pg from 'pg';

/** A statement by its text, or by the name under which it was prepared on this very connection. */
export interface Step {
  /** Empty: not named, so that the server parses the text each time. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What pg's query has and its types lack. */
interface Wire {
  parse(message: { name: string; text: string }): void;
  bind(message: {
    statement: string;
    values: readonly unknown[];
    valueMapper: (value: unknown) => unknown;
  }): void;
  execute(message: { portal: string; rows: number }): void;
}
interface WiredQuery {
  callback: (error: Error | null, result: pg.QueryResult) => void;
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  requiresPreparation(): boolean;
}
const WiredQuery = pg.Query as unknown as new (config: {
  name?: string;
  text: string;
  values: unknown[];
}) => WiredQuery;

/**
 * Two statements in one message to the server, with one Sync at its end: one round trip and one transaction. When the
 * first fails the server skips the second, so the second never runs without what the first has set.
 *
 * The first must be prepared already where it has a name, and answer with at most rows that nobody wants.
 */
class PairedQuery extends WiredQuery {
  readonly #first: Step;
  #isFirstDone = false;

  constructor(first: Step, second: Step) {
    const { name, text, values } = second;
    super({ ...(name !== '' && { name }), text, values: [...values] });
    this.#first = first;
  }

  override requiresPreparation(): boolean {
    return true;
  }

  override prepare(wire: Wire): void {
    const { name, text, values } = this.#first;
    if (name === '') wire.parse({ name, text });
    // Text or null; nothing that needs pg's own conversion.
    wire.bind({ statement: name, values, valueMapper: (value) => value });
    wire.execute({ portal: '', rows: 0 });
    super.prepare(wire);
  }

  override handleDataRow(message: unknown): void {
    if (this.#isFirstDone) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#isFirstDone) super.handleCommandComplete(message, wire);
    this.#isFirstDone = true;
  }
}

/** Runs `first` and then `second` in one round trip; answers with the second's result. */
export function queryInPair(
  client: pg.ClientBase,
  first: Step,
  second: Step,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new PairedQuery(first, second);
    query.callback = (error, result) => (error ? reject(error) : resolve(result));
    client.query(query as unknown as pg.Submittable);
  });
}
