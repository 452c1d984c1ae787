import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../server/src/platform/postgres.ts';
import { sql } from '../testing/sql.ts';
import type { BusyCounty } from './busy-county.ts';

export interface VisitorsReport {
  /** Sign-ins that were answered as done. */
  readonly signIns: number;
  /** Of them, those whose session is not there. */
  readonly signInsLost: number;
  /** Saves of preferences that were answered as done. */
  readonly saves: number;
  readonly savesLost: number;
  /** Requests that were answered with 503, or not at all. */
  readonly refused: number;
}

/** Voters who sign in and save a preference, each once. */
export interface Visitors {
  /** Some at the same time, one voter after the other each. */
  keepVisiting(isOver: () => boolean): Promise<void>;
  /** Milliseconds from now until a sign-in that begins after now is answered as done. */
  timeUntilSignIn(): Promise<number>;
  compare(): Promise<VisitorsReport>;
}

const voterCount = 50_000;
const atOnce = 4;
const longestAnswerMs = 15_000;
/** What they save. */
const language = 'english';
const birthdate = '1970-02-03';
const zipcode = '34811';

export async function createVisitors(
  database: Database,
  { accountId, apiUrl }: BusyCounty,
): Promise<Visitors> {
  await sql`insert into voters (account_id, registration_id, firstname, lastname, zipcode, birthdate)
    select ${accountId}, 'V' || n, 'Visitor', translate(n::text, '0123456789', 'abcdefghij'), ${zipcode}, ${birthdate}
    from generate_series(1, ${voterCount}::integer) n`.execute(database.system);
  let visits = 0;
  let refused = 0;
  const signedIn = new Set<string>();
  const saved = new Set<string>();
  const waiting = new Set<{ readonly since: number; readonly done: (ms: number) => void }>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});

  /** @returns the answer where it is what was asked for; undefined where the site could not */
  async function ask(
    path: string,
    init: { readonly method: string; readonly body: object; readonly cookie?: string },
  ): Promise<Response | undefined> {
    const answer = await fetch(apiUrl + path, {
      method: init.method,
      headers: {
        'content-type': 'application/json',
        origin: apiUrl,
        // Each from a network of their own, as voters are.
        'x-forwarded-for': `10.${(visits >> 16) & 0xff}.${(visits >> 8) & 0xff}.${visits & 0xff}`,
        ...(init.cookie && { cookie: init.cookie }),
      },
      body: JSON.stringify(init.body),
      signal: AbortSignal.timeout(longestAnswerMs),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer?.ok && text !== undefined) return answer;
    if (answer && answer.status !== 503)
      throw new Error(`${init.method} ${path} was answered ${answer.status}: ${text}`);
    refused += 1;
    return undefined;
  }

  async function visit(): Promise<void> {
    visits += 1;
    const id = `V${visits}`;
    const lastname = [...String(visits)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const begun = Date.now();
    const body = { firstname: 'Visitor', lastname, zipcode, birthdate: '02-03-1970' };
    const session = await ask('/api/voter/session', {
      method: 'POST',
      body: { ...body, recaptcha: 'off' },
    });
    if (!session) return void (await wait(50));
    for (const one of waiting)
      if (begun > one.since) {
        waiting.delete(one);
        one.done(Date.now() - one.since);
      }
    signedIn.add(id);
    const [cookie = ''] = session.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
    const change = { language_preference: language };
    const done = await ask('/api/voter/information/me', { method: 'PATCH', body: change, cookie });
    if (done) saved.add(id);
  }

  return {
    async keepVisiting(isOver) {
      const keepOn = async () => {
        while (!isOver() && visits < voterCount) {
          await visit();
          await wait(20);
        }
      };
      try {
        await Promise.all(Array.from({ length: atOnce }, keepOn));
      } catch (error) {
        // Nobody signs in any more.
        failed.reject(error);
        throw error;
      }
    },
    timeUntilSignIn: () =>
      Promise.race([
        failed.promise,
        new Promise<number>((done) => {
          waiting.add({ since: Date.now(), done });
        }),
      ]),
    async compare() {
      const { rows } = await sql<{ id: string; has_session: boolean; language: string | null }>`
        select registration_id as id, exists (select from sessions s where s.voter_id = v.voter_id) as has_session,
          (select language_preference from contact_preferences p where p.voter_id = v.voter_id) as language
        from voters v where registration_id like 'V%'`.execute(database.system);
      const lacks = (ids: Set<string>, has: (row: (typeof rows)[number]) => boolean) =>
        rows.filter((row) => ids.has(row.id) && !has(row)).length;
      return {
        signIns: signedIn.size,
        signInsLost: lacks(signedIn, (row) => row.has_session),
        saves: saved.size,
        savesLost: lacks(saved, (row) => row.language === language),
        refused,
      };
    },
  };
}
