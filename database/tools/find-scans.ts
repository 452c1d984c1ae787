import type { CapturedStatement } from '../../testing/captured-statements.ts';
import type { pg } from '../../testing/sql.ts';

/** A sequential scan that a statement's plan has of a large table. */
export interface SequentialScan {
  readonly origin: string;
  readonly table: string;
  readonly text: string;
}

export interface PlansReport {
  readonly scans: readonly SequentialScan[];
  /** Statements whose plan was read. */
  readonly explained: number;
  /** Statements that read tables which only their own transaction has: no plan can be had of them alone. */
  readonly unexplained: readonly CapturedStatement[];
}

/** Beside the statement: why it may read all of a large table. */
const reason = /--\s*sequential scan:\s*\S.{9,}/;
const plannable = /^\s*(?:--[^\n]*\n\s*)*(select|insert|update|delete|with|merge)\b/i;
const missingTable = '42P01';
/** The queue's own library makes its schema when a worker starts; its statements are its own. */
const missingSchema = '3F000';

/**
 * Asks for the generic plan of each statement, the one that stands whatever the values are, and finds those that
 * read all of a table of `largeTables` without saying why. Each is planned as the role that runs it: row-level security
 * keeps an index from serving a condition that could reveal rows of another account.
 *
 * @throws when a statement cannot be planned for any other reason than a table of its own transaction.
 */
export async function findSequentialScans(
  client: pg.Client,
  statements: readonly CapturedStatement[],
  largeTables: readonly string[],
): Promise<PlansReport> {
  const scans: SequentialScan[] = [];
  const unexplained: CapturedStatement[] = [];
  let explained = 0;
  await client.query('set plan_cache_mode = force_generic_plan');
  for (const statement of statements) {
    const { text, origin, role } = statement;
    if (!plannable.test(text)) continue;
    const plan = await readPlan(client, text, role);
    if (plan === undefined) {
      unexplained.push(statement);
      continue;
    }
    explained += 1;
    if (reason.test(text)) continue;
    const tables = new Set(listScanned(plan).filter((table) => largeTables.includes(table)));
    for (const table of tables) scans.push({ origin, table, text });
  }
  return { scans, explained, unexplained };
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Undefined when the statement reads a temporary table, or the worker's queue. */
async function readPlan(
  client: pg.Client,
  text: string,
  role: CapturedStatement['role'],
): Promise<PlanNode | undefined> {
  await client.query('begin');
  try {
    if (role === 'beacon_api')
      await client.query(
        `select set_config('role', '${role}', true), set_config('beacon.account_id', '1', true)`,
      );
    await client.query(`prepare examined as ${text.replace(/;\s*$/, '')}`);
    const { rows } = await client.query<{ count: number }>(
      `select cardinality(parameter_types) as count from pg_prepared_statements where name = 'examined'`,
    );
    const count = Number(rows[0]?.count ?? 0);
    const values = count === 0 ? '' : `(${Array(count).fill('null').join(', ')})`;
    const answer = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (format json) execute examined${values}`,
    );
    return answer.rows[0]?.['QUERY PLAN'][0].Plan;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === missingTable || code === missingSchema) return undefined;
    throw new Error(
      `No plan could be had of this statement; if it is gone, run its tests again:\n${text}`,
      {
        cause: error,
      },
    );
  } finally {
    await client.query('rollback');
    await client.query('deallocate all');
  }
}

function listScanned(node: PlanNode): string[] {
  const own =
    node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== undefined
      ? [node['Relation Name']]
      : [];
  return [...own, ...(node.Plans ?? []).flatMap(listScanned)];
}
