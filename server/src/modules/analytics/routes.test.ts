import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { removeAccount } from '../accounts/index.ts';

const host = 'adams.localhost';
let api: TestApi;
let adams: number;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
});
afterAll(() => api.close());

describe('counting views', () => {
  const counts = async () => {
    await api.keepHouse();
    const { rows } = await api.test.database.systemPool.query<{ name: string; views: number }>(
      'select name, views from page_views where account_id = $1',
      [adams],
    );
    return Object.fromEntries(rows.map(({ name, views }) => [name, Number(views)]));
  };
  const count = (name: string, headers: Record<string, string> = {}) =>
    api.browser(host, headers).post('/api/voter/page-view', { name });

  test('records a page and a day, and no person', async () => {
    expect((await count('page:faq')).statusCode).toBe(204);
    await count('page:faq');
    expect((await counts())['page:faq']).toBe(2);
    await count('page:faq');
    expect((await counts())['page:faq']).toBe(3);
    const { rows } = await api.test.database.systemPool.query<{ column_name: string }>(
      `select column_name from information_schema.columns where table_name = 'page_views'`,
    );
    expect(rows.map((row) => row.column_name).sort()).toEqual([
      'account_id',
      'day',
      'name',
      'views',
    ]);
  });

  test('belongs to the day on which it was, by UTC, also when it is written down on the next', async () => {
    api.clock.set('2026-10-05T23:59:59Z');
    await count('page:login');
    api.clock.set('2026-10-06T00:00:00Z');
    await count('page:login');
    await count('page:login');
    await counts();
    const days = await api.query(
      `select day::text, views::integer from page_views where account_id = $1 and name = 'page:login' order by day`,
      [adams],
    );
    expect(days).toEqual([
      { day: '2026-10-05', views: 1 },
      { day: '2026-10-06', views: 2 },
    ]);
  });

  test('loses none while the database is away, and counts none twice', async () => {
    // It goes away after it has taken the first of two days.
    await api.query(`create function go_away() returns trigger language plpgsql as
      $$begin raise exception using errcode = '57P01', message = 'the database is away'; end$$`);
    await api.query(`create trigger go_away before insert on page_views for each row
      when (new.day = '2026-10-08') execute function go_away()`);
    for (const day of ['2026-10-07', '2026-10-08', '2026-10-09']) {
      api.clock.set(`${day}T12:00:00Z`);
      await count('page:messages');
    }
    await expect(api.keepHouse()).rejects.toThrow('the database is away');
    await expect(api.keepHouse()).rejects.toThrow('the database is away');
    await count('page:messages');
    await api.query('drop function go_away cascade');
    await api.keepHouse();
    await api.keepHouse();
    const days = await api.query(
      `select day::text, views::integer from page_views where name = 'page:messages' order by day`,
    );
    expect(days).toEqual([
      { day: '2026-10-07', views: 1 },
      { day: '2026-10-08', views: 1 },
      { day: '2026-10-09', views: 2 },
    ]);
  });

  test('fails once alone for an office that was removed, and loses nothing of another', async () => {
    const gone = await addOffice(api.test, { subdomain: 'gone' });
    const { statusCode } = await api
      .browser('gone.localhost')
      .post('/api/voter/page-view', { name: 'page:faq' });
    expect(statusCode).toBe(204);
    await count('page:verify');
    await api.test.database.transaction((tx) => removeAccount(tx, gone));
    await expect(api.keepHouse()).rejects.toThrow();
    expect((await counts())['page:verify']).toBe(1);
  });

  test('does not count visitors who ask for that', async () => {
    await count('page:privacy', { dnt: '1' });
    await count('page:privacy', { 'sec-gpc': '1' });
    expect(await counts()).not.toHaveProperty('page:privacy');
  });

  test('refuses a name that is not on the list', async () => {
    expect((await count('page:Ann Rivera')).statusCode).toBe(422);
  });
});
