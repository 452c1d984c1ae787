import { pg } from '../../testing/sql.ts';

export interface Step {
  /** Prepared already, where it is the first. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What pg's query has and its types lack. */
interface Wire {
  bind(message: { statement: string; values: readonly unknown[] }): void;
  execute(message: { portal: string; rows: number }): void;
}
interface WiredQuery {
  callback: (error: Error | null) => void;
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}
const WiredQuery = pg.Query as unknown as new (config: {
  name: string;
  text: string;
  values: unknown[];
}) => WiredQuery;

/** Two statements in one round trip by pg's own query, which the floor's figures have always been made with. */
class PairedQuery extends WiredQuery {
  readonly #first: Step;
  #isFirstDone = false;

  constructor(first: Step, { name, text, values }: Step) {
    super({ name, text, values: [...values] });
    this.#first = first;
  }

  override prepare(wire: Wire): void {
    wire.bind({ statement: this.#first.name, values: this.#first.values });
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

export function queryInPair(client: pg.ClientBase, first: Step, second: Step): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = new PairedQuery(first, second);
    query.callback = (error) => (error ? reject(error) : resolve());
    client.query(query as unknown as pg.Submittable);
  });
}
