import pg from 'pg';

/** A statement by its text, or by the name under which it was prepared on this very connection. */
export interface Step {
  /** Empty: not named, so that the server parses the text each time. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What a statement answered. */
export interface Answer {
  readonly command: string;
  /** Null of a statement that counts none. */
  readonly rowCount: number | null;
  readonly rows: Record<string, unknown>[];
}

/** What a connection remembers of a statement that it has prepared. */
export interface Prepared {
  /** Of its rows, once it has run, where they never change. */
  columns: readonly Column[] | undefined;
}

/**
 * Commands whose columns PostgreSQL fixes when it prepares them. Those of a FETCH are its cursor's, and another cursor may have
 * the name next time.
 */
const planned: ReadonlySet<string> = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE']);

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** What pg has and its types lack. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly unknown[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  sync(): void;
  sendCopyFail(reason: string): void;
}
interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}
const { utils } = pg as unknown as { utils: { prepareValue(value: unknown): unknown } };

type TypeParsers = Pick<typeof pg.types, 'getTypeParser'>;

/**
 * A statement, and one before it in the same message to the server, with one Sync at the end: one round trip and one transaction. When the
 * first fails the server skips the second, so the second never runs without what the first has set.
 *
 * The first must be prepared already where it has a name, and answer with at most rows that nobody wants.
 *
 * What pg's own query does beyond that, a voter's request needs not: it copies its description, is an emitter of events, and asks anew each time
 * what columns there are.
 */
class BoundQuery {
  /** pg's client reads these two. */
  readonly name: string;
  readonly text: string;
  readonly callback: (error: Error | undefined, answer?: Answer) => void;
  readonly #first: Step | undefined;
  readonly #values: readonly unknown[];
  readonly #types: TypeParsers;
  readonly #prepared: Prepared | undefined;
  #columns: readonly Column[] = [];
  #isFirstDone: boolean;
  #failure: Error | undefined;
  #tag = '';
  readonly #rows: Record<string, unknown>[] = [];

  constructor(parts: QueryParts, callback: BoundQuery['callback']) {
    const { first, statement, types, prepared } = parts;
    this.name = statement.name;
    this.text = statement.text;
    this.#values = statement.values.map((value) => utils.prepareValue(value));
    this.#first = first;
    this.#isFirstDone = first === undefined;
    this.#types = types;
    this.#prepared = prepared;
    this.callback = callback;
  }

  submit(wire: Wire): null {
    const { name, text } = this;
    const isParsed = name !== '' && wire.parsedStatements[name] !== undefined;
    const columns = isParsed ? this.#prepared?.columns : undefined;
    // All in one write.
    wire.stream.cork();
    try {
      if (this.#first) sendFirst(wire, this.#first);
      if (!isParsed) wire.parse({ name, text });
      if (name !== '' && !isParsed) wire.submittedNamedStatements[name] = text;
      wire.bind({ statement: name, values: this.#values });
      if (columns) this.#columns = columns;
      else wire.describe({ type: 'P', name: '' });
      wire.execute({ portal: '', rows: 0 });
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#types.getTypeParser(dataTypeID, 'text'),
    }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (!this.#isFirstDone || this.#failure) return;
    const row: Record<string, unknown> = {};
    try {
      for (const [place, { name, parse }] of this.#columns.entries()) {
        const text = fields[place] ?? null;
        row[name] = text === null ? null : parse(text);
      }
      this.#rows.push(row);
    } catch (error) {
      this.#failure = error as Error;
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    if (this.#isFirstDone) this.#tag = text;
    this.#isFirstDone = true;
  }

  handleReadyForQuery(): void {
    const tag = readTag(this.#tag);
    if (this.#prepared && planned.has(tag.command)) this.#prepared.columns = this.#columns;
    if (this.#failure) this.callback(this.#failure);
    else this.callback(undefined, { ...tag, rows: this.#rows });
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail('Nothing is copied here.');
  }

  handleCopyData(): void {}
}

function sendFirst(wire: Wire, { name, text, values }: Step): void {
  if (name === '') wire.parse({ name, text });
  // Text or null; nothing that needs pg's own conversion.
  wire.bind({ statement: name, values });
  wire.execute({ portal: '', rows: 0 });
}

/** `INSERT 0 1`, `UPDATE 3`, `BEGIN` */
function readTag(tag: string): Pick<Answer, 'command' | 'rowCount'> {
  const [command = '', ...counts] = tag.split(' ');
  const count = counts.at(-1);
  return { command, rowCount: count !== undefined && /^\d+$/.test(count) ? Number(count) : null };
}

export interface QueryParts {
  readonly first?: Step;
  readonly statement: Step;
  readonly types: TypeParsers;
  /** Undefined where the server asked may be another next time, which has prepared the statement at another moment. */
  readonly prepared?: Prepared | undefined;
}

/** Runs `first` and then `statement` in one round trip; answers with the second's result. */
export function queryBound(client: pg.ClientBase, parts: QueryParts): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const query = new BoundQuery(parts, (error, answer) =>
      answer ? resolve(answer) : reject(error),
    );
    client.query(query as unknown as pg.Submittable);
  });
}
