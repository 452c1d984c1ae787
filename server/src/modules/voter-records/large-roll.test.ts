import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addOffice, addVoter, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';
import { findVoterId, readVoterSearch, searchVoters } from '../voters/index.ts';

interface Found {
  readonly matches: number;
  readonly is_more: boolean;
  readonly voters: readonly { readonly voter_id: number; readonly name: string }[];
  readonly next: number | null;
}

let api: TestApi;
let accountId: AccountId;
let clerk: TestPerson;

const names = {
  1: ['Maria', '', 'Garcia'],
  2: ['María', 'Elena', 'García-López'],
  3: ['Jean-Luc', '', "O'Brien"],
  4: ['Ana', 'Sofia', 'de la Cruz'],
  5: ['Mary Ann', 'Louise', 'Lee'],
  6: ['Bo', '', 'Leeson'],
  7: ['', '', 'Sukarno'],
  8: ['Lee', '', 'Marsh'],
} as const;

beforeAll(async () => {
  api = await createTestApi();
  accountId = await addOffice(api.test, { subdomain: 'adams' });
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  for (const [id, [firstname, middlename, lastname]] of Object.entries(names))
    await addVoter(api.test, accountId, {
      ...{ registration_id: id, firstname, middlename, lastname },
      ...{
        birthdate: `1970-01-0${id}`,
        email: `Voter${id}@mail.example`,
        phone: `(509) 555-010${id}`,
      },
    });
  await addVoter(api.test, lake, {
    ...{ registration_id: '1', firstname: 'Maria', lastname: 'Garcia' },
    ...{ email: 'voter1@mail.example', phone: '5095550101' },
  });
  await addVoter(api.test, accountId, {
    ...{ registration_id: 'ab 12', firstname: 'Ola', lastname: 'Nilsen' },
  });
  await addVoter(api.test, accountId, {
    ...{ registration_id: '900', firstname: 'Maria', lastname: 'Garcia', is_confidential: true },
    ...{ email: 'hidden@mail.example', phone: '509-555-0199' },
  });
  // Enough of them that reading them all costs more than an index.
  await sql`
    insert into voters (account_id, registration_id, firstname, lastname, birthdate, email, phone)
    select ${accountId}, 'L' || n, 'Kim', 'Zwart' || n, date '1930-01-01' + n % 9000, 'l' || n || '@mail.example',
      '(352) 555-' || lpad(n::text, 5, '0')
    from generate_series(1, 20000) n`.execute(api.test.database.system);
  await sql`analyze voters`.execute(api.test.database.system);
  clerk = await addPerson(api, { accountId, host: 'adams.localhost' }, 'Cleo Marsh', ['clerk']);
});
afterAll(() => api.close());

async function find(text: string, after?: number): Promise<Found> {
  const answer = await clerk.browser.post('/api/office/voter-search', {
    text,
    ...(after !== undefined && { after }),
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Found>();
}

test.each([
  [
    'the start of a last name, as it is typed',
    'garc',
    ['Maria Garcia', 'María Elena García-López'],
  ],
  ['a last name before longer ones', 'LEE', ['Mary Ann Louise Lee', 'Bo Leeson']],
  ['a first name that is typed in part', 'mar garcia', ['Maria Garcia']],
  ['the last name first, with a comma', 'garcia lopez, maria', ['María Elena García-López']],
  ['all names in order', 'maria elena garcia lopez', ['María Elena García-López']],
  ['an initial after the first name', 'maria e garcia lopez', ['María Elena García-López']],
  ['a hyphen and an apostrophe that are not typed', 'jeanluc obrien', ["Jean-Luc O'Brien"]],
  ['the typewriter’s apostrophe of a phone', 'O’Brien', ["Jean-Luc O'Brien"]],
  ['a last name of three words', 'Ana de la Cruz', ['Ana Sofia de la Cruz']],
  ['a last name of three words first', 'de la Cruz Ana Sofia', ['Ana Sofia de la Cruz']],
  ['a first name of two words', 'mary ann lee', ['Mary Ann Louise Lee']],
  ['all of many names', 'Mary Ann Louise Lee', ['Mary Ann Louise Lee']],
  ['a voter of one name', 'sukarno', ['Sukarno']],
  ['the wrong middle name', 'maria berta garcia lopez', []],
  ['a name and the birth date', 'garcia 1/2/1970', ['María Elena García-López']],
  ['first name, last name and the birth date', 'garcia maria 1970-01-01', ['Maria Garcia']],
  ['a name and another’s birth date', 'sukarno 1/2/1970', []],
  ['an email address in any case', 'VOTER3@MAIL.example', ["Jean-Luc O'Brien"]],
  ['a name and an email address', 'marsh voter8@mail.example', ['Lee Marsh']],
  ['a name and another’s email address', 'marsh voter7@mail.example', []],
  ['a phone number, however it is written', '+1 509.555.0104', ['Ana Sofia de la Cruz']],
  ['an ID without its space and in another case', 'AB12', ['Ola Nilsen']],
  ['an ID with spaces that it has not', 'a B 1 2', ['Ola Nilsen']],
  ['a confidential voter’s email address', 'hidden@mail.example', []],
  ['a confidential voter’s phone', '509-555-0199', []],
  ['marks without a letter', '-- ..', []],
  ['a percent sign and an underscore', '%%', []],
  ['the mark that separates names', 'garcia!maria', ['Maria Garcia']],
])('a clerk finds voters by %s', async (_, text, expected) => {
  const { voters, matches } = await find(text);
  expect(voters.map(({ name }) => name)).toEqual(expected);
  expect(matches).toBe(expected.length);
});

describe('a name that thousands have', () => {
  beforeAll(async () => {
    await sql`
      insert into voters (account_id, registration_id, firstname, lastname, birthdate)
      select ${accountId}, 'S' || n, (array['Ana', 'Bea', 'Cy'])[1 + n % 3], 'Smith', date '1958-05-05'
      from generate_series(1, 250) n`.execute(api.test.database.system);
  });

  test.each(['smith', 'smith bea', 'smith 5/5/1958', '5/5/1958'])(
    'is listed by key, each voter once: %s',
    async (text) => {
      const first = await find(text);
      expect(first).toMatchObject({ is_more: text !== 'smith bea', voters: { length: 20 } });
      const pages = [first];
      for (let next = first.next; next !== null; next = pages.at(-1)?.next ?? null)
        pages.push(await find(text, next));
      const listed = pages.flatMap(({ voters }) => voters);
      expect(new Set(listed.map((one) => one.voter_id)).size).toBe(listed.length);
      expect(listed).toHaveLength(text === 'smith bea' ? 84 : 250);
      expect(listed.map(({ name }) => name)).toEqual(listed.map(({ name }) => name).toSorted());
      expect(pages.at(-1)).toMatchObject({ is_more: false, next: null });
    },
  );

  test('says that there are more than it counted, here and on record', async () => {
    expect(await find('smith')).toMatchObject({ matches: 100, is_more: true });
    const [newest] = await api.query(
      `select details from audit_log where action = 'voter.search' order by audit_id desc limit 1`,
    );
    expect(newest).toEqual({ details: { matches: 100, more: true, by: ['name'] } });
  });
});

test.each(['garc', 'maria garcia', 'voter3@mail.example', 'A99', '509 555 0104', '1/2/1970'])(
  'the login of the console reads of a large roll only what matches: %s',
  async (text) => {
    const db = api.test.database.forOffice(accountId);
    const read = await db.transaction().execute(async (tx) => {
      await searchVoters(tx, readVoterSearch(text), { limit: 20 });
      await findVoterId(tx, accountId, text);
      const { rows } = await sql<{ read: number }>`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
        where relname = 'voters'`.execute(tx);
      return rows[0]?.read;
    });
    expect(read).toBeLessThan(20);
  },
);
