import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import { readRecentCounts } from '../../run/recent-store.ts';
import type { Applied, ExampleRow, GateReason, Judgment, KindTask } from '../kind.ts';
import { readCellExamples, readChangedColumns } from './cells-store.ts';
import { judgeCutRoll } from './cut-roll-store.ts';
import { judgeCells } from './gate-cells.ts';
import { countRollNews, judgeRollNews, type RollFault, type RollNews } from './gate-rules.ts';
import { loadedPlaces } from './loaded-store.ts';
import { voterChanges } from './merge-store.ts';
import { explainLoss, type RollSize } from './roll-size.ts';

/** Letters alone, without the word "county". A name shorter than four letters is a code, which says nothing. */
const plainName = (column: string) =>
  `regexp_replace(lower(${column}), '\\mcounty\\M|[^a-z]', '', 'g')`;

interface Conditions {
  readonly county: RawBuilder<boolean>;
  readonly state: RawBuilder<boolean>;
}

function conditionsOf({ account }: KindTask): Conditions {
  const own = account.county.toLowerCase().replace(/\bcounty\b|[^a-z]/g, '');
  const name = sql.raw(plainName('c.county'));
  return {
    county: sql`(length(${name}) >= 4 and ${own} <> '' and not starts_with(${name}, ${own})
      and not starts_with(${own}, ${name}))`,
    state: sql`(c.state <> '' and c.state <> ${account.state})`,
  };
}

/** Judges what a voter file would change of the roll, before a voter signs in by it. */
export async function judgeRoll(
  tx: Tx,
  task: KindTask,
  { before, added, size }: Applied<RollSize>,
): Promise<Judgment> {
  const { account, findings } = task;
  const loss = size.loss && explainLoss(size.loss, account.settings.import_limits);
  const reasons: GateReason[] = loss === null ? [] : [{ code: 'file-shrank', detail: loss }];
  const rows = findings.read - findings.skipped;
  const known = (before.active ?? 0) + (before.inactive ?? 0);
  const source = size.isLoaded
    ? sql`(select null::bigint as line, registration_id, null::bigint as voter_id, county, state
        from voters where account_id = ${account.accountId}
        -- sequential scan: reads a roll once, after it was loaded for the first time
      )`
    : sql`(select * from ${voterChanges} where problem is null and (voter_id is null or is_changed))`;
  const conditions = conditionsOf(task);
  const identities = await countIdentities(tx, size.isLoaded);
  const { losesProtection, gainsProtection } = identities;
  const news = {
    ...{ known, rows, added, inactive: before.inactive ?? 0 },
    missing: loss === null ? (size.loss?.missing ?? 0) : 0,
    ...(await countPlaces(tx, size.isLoaded, conditions)),
    ...identities,
    confidential:
      losesProtection > 1
        ? (await countConfidential(tx, account.accountId)) + losesProtection - gainsProtection
        : 0,
    ...(await countForeignIds(tx, account.accountId, { added, known })),
  };
  const recent = await readRecentCounts(tx, account, 'roll', {
    today: task.today,
    before: task.importId,
  });
  const { inactive_percent: inactivePercent } = account.settings.import_limits;
  for (const finding of judgeRollNews(news, account, inactivePercent, recent)) {
    const examples = await readExamples(tx, task, finding.code, source, conditions);
    reasons.push({ ...finding, examples });
  }
  if (known > 0 && !size.isLoaded) reasons.push(...(await judgeColumns(tx, task, reasons)));
  if (!reasons.some(({ code }) => code === 'file-shrank' || code === 'made-inactive'))
    reasons.push(...(await judgeCutRoll(tx, task, size.loss?.missing ?? 0)));
  // Nobody was on a first roll whom it could have changed.
  const changed = known > 0 ? { roll: countRollNews(news) } : {};
  return {
    reasons,
    learned: { news: {}, listed: null, elections: [], newestDay: null, ...changed },
  };
}

/** What a rule about more voters has found is not said twice. */
const broader: Readonly<Record<string, readonly RollFault[]>> = {
  lastname: ['names-changed', 'names-swapped', 'other-people'],
  birthdate: ['birthdates-changed', 'other-people'],
  address: ['addresses-changed'],
  phone: ['contacts-changed'],
  email: ['contacts-changed'],
};

async function judgeColumns(
  tx: Tx,
  task: KindTask,
  found: readonly GateReason[],
): Promise<GateReason[]> {
  const reasons: GateReason[] = [];
  for (const column of await readChangedColumns(tx, task)) {
    const finding = judgeCells(column);
    const isSaid = found.some(({ code }) => broader[column.name]?.some((one) => one === code));
    if (finding && !isSaid)
      reasons.push({ ...finding, examples: await readCellExamples(tx, column, finding.code) });
  }
  return reasons;
}

async function countPlaces(
  tx: Tx,
  isLoaded: boolean,
  { county, state }: Conditions,
): Promise<Pick<RollNews, 'otherCounty' | 'otherState'>> {
  const places = isLoaded
    ? sql`select county, state, active + inactive as count from ${loadedPlaces}`
    : sql`select county, state, count(*) as count from ${voterChanges}
        where problem is null and (voter_id is null or is_changed) group by 1, 2`;
  const { rows } = await sql<{ counties: number; county: string; states: number; state: string }>`
    select coalesce(sum(count) filter (where ${county}), 0)::bigint as counties,
      coalesce((array_agg(c.county order by count desc) filter (where ${county}))[1], '') as county,
      coalesce(sum(count) filter (where ${state}), 0)::bigint as states,
      coalesce((array_agg(c.state order by count desc) filter (where ${state}))[1], '') as state
    from (${places}) c`.execute(tx);
  const [found] = rows;
  return {
    otherCounty: { rows: found?.counties ?? 0, name: found?.county ?? '' },
    otherState: { rows: found?.states ?? 0, name: found?.state ?? '' },
  };
}

/** What changes of voters who are known. */
type Identities = Pick<
  RollNews,
  | 'swappedNames'
  | 'otherPeople'
  | 'otherNames'
  | 'damagedNames'
  | 'otherBirthdates'
  | 'otherZipcodes'
  | 'otherAddresses'
  | 'otherContacts'
  | 'madeInactive'
  | 'madeActive'
  | 'losesProtection'
  | 'gainsProtection'
>;

async function countIdentities(tx: Tx, isLoaded: boolean): Promise<Identities> {
  const none: Identities = {
    ...{
      swappedNames: 0,
      otherPeople: 0,
      otherNames: 0,
      damagedNames: 0,
      otherBirthdates: 0,
      otherZipcodes: 0,
      otherAddresses: 0,
      otherContacts: 0,
    },
    ...{ madeInactive: 0, madeActive: 0, losesProtection: 0, gainsProtection: 0 },
  };
  if (isLoaded) return none;
  const { rows } = await sql<Identities>`
    select count(*) filter (where has_swapped_names) as "swappedNames",
      count(*) filter (where is_other_person) as "otherPeople",
      count(*) filter (where has_other_name) as "otherNames",
      count(*) filter (where has_damaged_name) as "damagedNames",
      count(*) filter (where has_other_birthdate) as "otherBirthdates",
      count(*) filter (where has_other_zipcode) as "otherZipcodes",
      count(*) filter (where has_other_address) as "otherAddresses",
      count(*) filter (where has_other_contact) as "otherContacts",
      count(*) filter (where was_active and not becomes_active) as "madeInactive",
      count(*) filter (where becomes_active and not was_active) as "madeActive",
      count(*) filter (where loses_protection) as "losesProtection",
      count(*) filter (where gains_protection) as "gainsProtection"
    from ${voterChanges} where problem is null and voter_id is not null`.execute(tx);
  return rows[0] ?? none;
}

/** Voters of the roll, as merged, whose record is protected. */
async function countConfidential(tx: Tx, accountId: AccountId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from voters where account_id = ${accountId} and is_confidential
    -- sequential scan: reads a whole roll, and only where several voters lose their protection`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** The new voters whose ID, without its leading zeros, is one of the roll's. */
const lostZeros = (accountId: AccountId) => sql`
  ${voterChanges} c join voters v on v.account_id = ${accountId} and ltrim(v.registration_id, '0') = ltrim(c.registration_id, '0')
    and v.registration_id <> c.registration_id
  where c.problem is null and c.voter_id is null`;

async function countLostZeros(tx: Tx, accountId: AccountId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${lostZeros(accountId)}
    -- sequential scan: compares new voters with a whole roll`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** New voters beside known ones whose ID is the same but for zeros, or shorter than theirs. */
async function countForeignIds(
  tx: Tx,
  accountId: AccountId,
  { added, known }: { readonly added: number; readonly known: number },
): Promise<Pick<RollNews, 'lostZeros' | 'shortIds'>> {
  if (added <= 3 || known === 0) return { lostZeros: 0, shortIds: { rows: 0, usual: 0 } };
  const lengths = await readIdLengths(tx, accountId);
  const usual = findUsualLength(lengths);
  const shorter = lengths.filter(({ length }) => length < usual);
  const rows = shorter.reduce((sum, one) => sum + one.added, 0);
  const lost = await countLostZeros(tx, accountId);
  return { lostZeros: lost, shortIds: { rows: Math.max(0, rows - lost), usual } };
}

/** The length that so many of the known IDs have, or else 0: an office that counts its voters has IDs of any length. */
const usualShare = 0.95;

function findUsualLength(
  lengths: readonly { readonly length: number; readonly known: number }[],
): number {
  const all = lengths.reduce((sum, { known }) => sum + known, 0);
  return lengths.find(({ known }) => known > 0 && known >= all * usualShare)?.length ?? 0;
}

/** How many voter IDs have each number of characters. */
async function readIdLengths(
  tx: Tx,
  accountId: AccountId,
): Promise<{ length: number; added: number; known: number }[]> {
  const { rows } = await sql<{ length: number; added: number; known: number }>`
    select a.length, coalesce(n.count, 0)::bigint as added, a.count - coalesce(n.count, 0) as known
    from (select length(registration_id) as length, count(*) as count from voters
      where account_id = ${accountId} group by 1) a
    left join (select length(registration_id) as length, count(*) as count from ${voterChanges}
      where problem is null and voter_id is null group by 1) n using (length)
    -- sequential scan: compares new voters with a whole roll`.execute(tx);
  return rows;
}

const exampleCount = 5;

async function readExamples(
  tx: Tx,
  { account }: KindTask,
  code: RollFault,
  source: RawBuilder<unknown>,
  { county, state }: Conditions,
): Promise<ExampleRow[]> {
  const changed = (condition: string, from: string, to: string) => sql<ExampleRow>`
    select c.registration_id as voter, ${from}::text as "from", ${to}::text as "to", c.line
    from ${voterChanges} c where c.problem is null and ${sql.raw(condition)} order by c.line limit ${exampleCount}`;
  const placed = (condition: RawBuilder<boolean>, from: string, to: 'county' | 'state') =>
    sql<ExampleRow>`
    select c.registration_id as voter, ${from}::text as "from", ${sql.ref(`c.${to}`)} as "to", c.line
    from ${source} c where ${condition} order by c.line limit ${exampleCount}`;
  const queries: Record<RollFault, () => RawBuilder<ExampleRow>> = {
    'lost-zeros': () => sql<ExampleRow>`
      select c.registration_id as voter, v.registration_id as "from", c.registration_id as "to", c.line
      from ${lostZeros(account.accountId)} order by c.line limit ${exampleCount}
      -- sequential scan: compares new voters with a whole roll`,
    'ids-shortened': () => sql<ExampleRow>`
      select c.registration_id as voter, 'not on the roll' as "from", 'new' as "to", c.line
      from ${voterChanges} c where c.problem is null and c.voter_id is null
      order by length(c.registration_id), c.line limit ${exampleCount}`,
    'names-swapped': () => changed('has_swapped_names', 'first, last', 'last, first'),
    'other-people': () => changed('is_other_person', 'known name', 'another name'),
    'birthdates-changed': () =>
      changed('has_other_birthdate', 'known birth date', 'another or none'),
    'names-changed': () => changed('has_other_name', 'known name', 'another name'),
    'names-damaged': () => changed('has_damaged_name', 'known name', 'name without its letters'),
    'zipcodes-changed': () => changed('has_other_zipcode', 'known ZIP code', 'another or none'),
    'addresses-changed': () => changed('has_other_address', 'known address', 'another address'),
    'contacts-changed': () => changed('has_other_contact', 'known contact', 'another contact'),
    'made-active': () => changed('becomes_active and not was_active', 'inactive', 'active'),
    'protection-lost': () => changed('loses_protection', 'protected', 'not protected'),
    'protection-added': () => changed('gains_protection', 'not protected', 'protected'),
    'made-inactive': () => changed('was_active and not becomes_active', 'active', 'inactive'),
    'other-county': () => placed(county, account.county, 'county'),
    'other-state': () => placed(state, account.state, 'state'),
    'new-voters': () => changed('voter_id is null', 'not on the roll', 'new'),
  };
  const { rows } = await queries[code]().execute(tx);
  return rows;
}
