import type { pg } from '../../testing/sql.ts';

/** Tables that stay small however large a county is; all others are filled with `rows` rows. */
const smallTables = new Set([
  'account_images',
  'account_languages',
  'accounts',
  'availability_days',
  'daily_requests',
  'elections',
  'flag_definitions',
  'import_gates',
  'imports',
  'no_ballot_messages',
  'office_deadlines',
  'office_pages',
  'page_views',
  'providers',
  'push_credentials',
  'release_notes',
  'restores',
  'schema_migrations',
  'sending_database',
  'text_drafts',
  'text_versions',
  'translation_overrides',
  'uploads',
]);
const accounts = 8;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly labels: readonly string[] | null;
  readonly checks: string | null;
}

/**
 * Fills every large table of a throw-away database with invented rows, spread over some accounts, and analyzes it.
 * Values follow from the schema alone: what a check constraint or an enum lists in turn, everything else by its
 * number. Constraints and triggers are set aside for it.
 *
 * @returns the tables that were filled
 */
export async function fillTables(client: pg.Client, rows: number): Promise<string[]> {
  const { rows: columns } = await client.query<Column>(columnsSql);
  const tables = Map.groupBy(columns, ({ table }) => table);
  await client.query(dropChecksSql);
  await client.query(`set session_replication_role = 'replica'`);
  const filled: string[] = [];
  for (const [table, ofTable] of tables) {
    if (smallTables.has(table)) continue;
    const names = ofTable.map(({ column }) => `"${column}"`).join(', ');
    const values = ofTable.map(valueFor).join(', ');
    await client.query(
      `insert into "${table}" (${names}) overriding system value select ${values} from generate_series(1, ${rows}) n on conflict do nothing`,
    );
    filled.push(table);
  }
  await client.query(`set session_replication_role = 'origin'`);
  await client.query('vacuum analyze');
  return filled;
}

function valueFor({ column, type, labels, checks }: Column): string {
  const listed =
    labels ??
    [...(checks ?? '').matchAll(/'((?:[^']|'')*)'::text/g)].map(([, label = '']) => label);
  if (column === 'account_id') return `1 + n % ${accounts}`;
  if (column.startsWith('is_')) return 'n % 10 <> 0';
  if (listed.length > 0 && (labels || /= ANY/.test(checks ?? ''))) {
    const list = listed.map((label) => `'${label.replaceAll("'", "''")}'`).join(', ');
    return `(array[${list}])[1 + n % ${listed.length}]::${type}`;
  }
  const made: Readonly<Record<string, string>> = {
    integer: 'n',
    bigint: 'n',
    smallint: 'n % 100',
    boolean: 'n % 2 = 0',
    text: `'${column} ' || n`,
    'text[]': `array['${column} ' || n]`,
    date: 'current_date - n % 3000',
    'timestamp with time zone': `now() - n * interval '1 minute'`,
    'timestamp without time zone': `now()::timestamp - n * interval '1 minute'`,
    'time without time zone': `time '08:00'`,
    uuid: 'gen_random_uuid()',
    bytea: `decode(md5(n::text), 'hex')`,
    json: `'{}'::json`,
    jsonb: `'{}'::jsonb`,
  };
  const value = made[type];
  if (value === undefined) throw new Error(`No value is known for a column of type ${type}.`);
  return value;
}

const columnsSql = `
  select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type,
    (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = a.atttypid) as labels,
    (select string_agg(pg_get_constraintdef(k.oid), ' ') from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as checks
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  order by c.relname, a.attnum`;

const dropChecksSql = `
  do $$ declare k record; begin
    for k in select conrelid::regclass as relation, conname from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace
    loop execute format('alter table %s drop constraint %I', k.relation, k.conname); end loop;
  end $$`;
