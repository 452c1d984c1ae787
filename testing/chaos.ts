import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { applyAccountFile, saveElection } from '../server/src/modules/accounts/index.ts';
import { enqueueMessages } from '../server/src/modules/notifications/index.ts';
import { readConfig } from '../server/src/platform/config.ts';
import { migrate } from '../server/src/platform/migrations.ts';
import { type Database, openDatabase } from '../server/src/platform/postgres.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';
import { createPostOffice, type ScansReport } from './chaos-scans.ts';

export interface ChaosReport {
  readonly kills: Readonly<Record<'worker' | 'server' | 'database', number>>;
  readonly messages: number;
  /** Messages that no provider ever took. */
  readonly missing: number;
  /** Texts that the provider took more than once; it knows repeats, so there must be none. */
  readonly textsTwice: number;
  /** Repeats the text provider recognised by their key and did not send again. */
  readonly textRepeatsRecognised: number;
  /** Mails taken more than once: a kill fell between the mail server's answer and our record of it. */
  readonly mailsTwice: number;
  /** Of those, how many were no mail in flight at a kill; must be none. */
  readonly mailsTwiceUnexplained: number;
  /** Texts whose delivery report never arrived, although the provider repeats it. */
  readonly receiptsMissing: number;
  readonly states: Readonly<Record<string, number>>;
  readonly post: ScansReport;
}

const slowestAnswerMs = 200;
const slowestReportMs = 3_000;
const smsToken = 'a-token-of-the-chaos-provider';
const sourceFolder = fileURLToPath(new URL('../server/src/', import.meta.url));

/**
 * Kills the worker, the server and the database with SIGKILL at random moments while imports make messages,
 * providers take them and the post office pushes scans, and then compares what the providers got with what was promised.
 *
 * @param kills how many in all @param seed of the random moments, so that a run can be repeated in kind
 */
export async function runChaos(options: {
  readonly kills: number;
  readonly seed: number;
  /** Ends claims at the end instead of waiting for their time to run out. */
  readonly isHurried?: boolean;
  readonly onKill?: (count: number, victim: string) => void;
}): Promise<ChaosReport> {
  const random = createRandom(options.seed);
  const folder = mkdtempSync(join(tmpdir(), 'beacon-chaos-'));
  const closers: (() => Promise<unknown> | unknown)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
  ];
  try {
    const postgres = await startPrivatePostgres({ dataDirectory: folder });
    closers.push(() => postgres.close());
    const database = openDatabase(postgres.url, { connections: 4 });
    closers.push(() => database.close());
    await migrate(postgres.url);
    const accountId = await seedCounty(database, folder);

    const apiPort = await freePort();
    const providers = await createProviderStubs(createRandom(options.seed + 1));
    closers.push(() => providers.close());
    const environment = {
      ...process.env,
      DATABASE_URL: postgres.url,
      BEACON_DATA: folder,
      PORT: String(apiPort),
      PUBLIC_URL: `http://127.0.0.1:${apiPort}`,
      DEFAULT_ACCOUNT: 'chaos',
      BEACON_DEMO: '0',
      LOG_LEVEL: 'silent',
      SMTP_URL: providers.smtpUrl,
      SMS_HTTP_URL: providers.smsUrl,
      SMS_HTTP_TOKEN: smsToken,
    };
    let isEnding = false;
    const start = (name: 'worker' | 'server'): void => {
      const child = spawn(process.execPath, [files[name]], { env: environment, stdio: 'ignore' });
      children[name] = child;
      // As its supervisor does, whatever ended it.
      child.once('exit', () => {
        if (!isEnding) start(name);
      });
    };
    const files = {
      worker: join(sourceFolder, 'worker.ts'),
      server: fileURLToPath(new URL('chaos-api.ts', import.meta.url)),
    };
    const children: Partial<Record<'worker' | 'server', ChildProcess>> = {};
    closers.push(() => {
      isEnding = true;
      for (const child of Object.values(children)) child.kill('SIGKILL');
    });
    start('worker');
    start('server');

    let isOver = false;
    const imports = keepImporting(database, accountId, random, () => isOver);
    const post = await createPostOffice({
      database,
      accountId,
      apiUrl: `http://127.0.0.1:${apiPort}`,
      random: createRandom(options.seed + 2),
    });
    const pushes = post.keepPushing(() => isOver);
    // Told when all is over.
    pushes.catch(() => {});
    const kills = { worker: 0, server: 0, database: 0 };
    for (let count = 1; count <= options.kills; count += 1) {
      // Only what is at work can be hurt: wait until something is handed over again, and then for no known time.
      const before = providers.taken();
      const patience = Date.now() + 8_000;
      while (providers.taken() === before && Date.now() < patience) await wait(20);
      await wait(random() * 600);
      const dice = random();
      const victim = dice < 0.6 ? 'worker' : dice < 0.8 ? 'server' : 'database';
      kills[victim] += 1;
      if (victim === 'database') {
        killPostmaster(folder);
        // As its supervisor would.
        const again = await startPrivatePostgres({ dataDirectory: folder });
        closers.push(() => again.close());
      } else {
        children[victim]?.kill('SIGKILL');
      }
      options.onKill?.(count, victim);
    }
    isOver = true;
    await Promise.all([imports, pushes]);
    if (options.isHurried) {
      children.worker?.kill('SIGKILL');
      await wait(200);
      await sql`update messages set claimed_at = claimed_at - interval '2 minutes' where state = 'sending'`.execute(
        database.system,
      );
    }
    await settle(database, providers);
    return { ...(await compare(database, providers, kills)), post: await post.compare() };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** Waits until nothing is under way any more, for as long as messages keep moving. */
async function settle(database: Database, providers: ProviderStubs): Promise<void> {
  let last = '';
  let since = Date.now();
  for (;;) {
    const { rows } = await sql<MessageRow>`
      select message_id, channel, state, attempts from messages order by message_id`.execute(
      database.system,
    );
    const waiting = rows.filter(
      (row) => ['created', 'sending'].includes(row.state) || lacksReceipt(row, providers),
    ).length;
    const moving = JSON.stringify(rows);
    if (waiting === 0) return;
    if (moving !== last) [last, since] = [moving, Date.now()];
    // Longer than a lease and a backoff together.
    if (Date.now() - since > 150_000) return;
    await wait(500);
  }
}

interface MessageRow {
  readonly message_id: number;
  readonly channel: string;
  readonly state: string;
  readonly attempts: number;
}

function lacksReceipt({ message_id, state }: MessageRow, { reported }: ProviderStubs): boolean {
  return state === 'sent' && reported.has(`beacon-${message_id}`);
}

async function compare(
  database: Database,
  providers: ProviderStubs,
  kills: ChaosReport['kills'],
): Promise<Omit<ChaosReport, 'post'>> {
  const { rows } = await sql<MessageRow>`
    select message_id, channel, state, attempts from messages`.execute(database.system);
  const { rows: events } = await sql<{ untold: number }>`
    select count(*) as untold from ballot_events e where kind = 'office' and not exists (select from messages m where m.event_id = e.event_id)`.execute(
    database.system,
  );
  const states: Record<string, number> = {};
  for (const { state } of rows) states[state] = (states[state] ?? 0) + 1;
  const of = (channel: string) => rows.filter((row) => row.channel === channel);
  const times = (taken: Map<string, number>, id: number) => taken.get(`beacon-${id}`) ?? 0;
  const mailsTwice = of('email').filter((row) => times(providers.mails, row.message_id) > 1);
  return {
    kills,
    messages: rows.length,
    missing:
      of('email').filter((row) => times(providers.mails, row.message_id) === 0).length +
      of('sms').filter((row) => times(providers.texts, row.message_id) === 0).length +
      (events[0]?.untold ?? 0),
    textsTwice: of('sms').filter((row) => times(providers.texts, row.message_id) > 1).length,
    textRepeatsRecognised: providers.repeats(),
    mailsTwice: mailsTwice.length,
    // One that no worker lost was claimed once.
    mailsTwiceUnexplained: mailsTwice.filter((row) => row.attempts < 2).length,
    receiptsMissing: rows.filter((row) => lacksReceipt(row, providers)).length,
    states,
  };
}

interface ProviderStubs {
  readonly smtpUrl: string;
  readonly smsUrl: string;
  /** How often each reference was taken. */
  readonly mails: Map<string, number>;
  readonly texts: Map<string, number>;
  /** Texts whose delivery is reported. */
  readonly reported: ReadonlySet<string>;
  repeats(): number;
  /** Everything taken so far. */
  taken(): number;
  close(): Promise<void>;
}

/**
 * A mail server and a text gateway that keep what they took and answer a while later, so that kills fall between the
 * two; the gateway knows repeats and reports deliveries.
 */
async function createProviderStubs(random: () => number): Promise<ProviderStubs> {
  const mails = new Map<string, number>();
  const texts = new Map<string, number>();
  const reported = new Set<string>();
  let repeats = 0;
  let isClosing = false;
  const count = (taken: Map<string, number>, reference: string): void => {
    taken.set(reference, (taken.get(reference) ?? 0) + 1);
  };

  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const reference = /^X-Beacon-Message: (\S+)/m.exec(Buffer.concat(parts).toString())?.[1];
        if (reference !== undefined) count(mails, reference);
        setTimeout(done, random() * slowestAnswerMs);
      });
    },
  });
  smtp.on('error', () => {}); // a killed worker's connection breaks
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));

  const report = async (callback: string): Promise<void> => {
    await wait(random() * slowestReportMs);
    while (!isClosing) {
      const answer = await fetch(callback, {
        method: 'POST',
        headers: { authorization: `Bearer ${smsToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'delivered' }),
      }).catch(() => undefined);
      if (answer?.status === 204) return;
      await wait(500);
    }
  };
  const gateway = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => {});
    request.on('end', () => {
      const key = String(request.headers['idempotency-key']);
      const { callback } = JSON.parse(Buffer.concat(parts).toString()) as { callback: string };
      if (texts.has(key)) repeats += 1;
      else {
        count(texts, key);
        // Of the others we never hear: what a crash left open is settled by handing the text over again.
        if (random() < 0.7) {
          reported.add(key);
          void report(callback);
        }
      }
      setTimeout(() => {
        response.writeHead(202, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ id: `taken-${key}` }));
      }, random() * slowestAnswerMs);
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));

  return {
    smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    smsUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/`,
    mails,
    texts,
    reported,
    repeats: () => repeats,
    taken: () => mails.size + texts.size,
    async close() {
      isClosing = true;
      gateway.closeAllConnections();
      await new Promise((resolve) => gateway.close(resolve));
      await new Promise<void>((resolve) => smtp.close(resolve));
    },
  };
}

const voterCount = 400;

async function seedCounty(database: Database, folder: string): Promise<number> {
  const file = join(folder, 'account.json');
  const hour = new Date().getUTCHours();
  const clock = (h: number): string => `${String((h + 24) % 24).padStart(2, '0')}:00`;
  writeFileSync(
    file,
    JSON.stringify({
      subdomain: 'chaos',
      name: 'Chaos County Elections',
      county: 'Chaos',
      state: 'FL',
      time_zone: 'Etc/UTC',
      contact_phone: '5555550100',
      contact_email: 'elections@chaos.example',
      quiet_hours: { start: clock(hour - 2), end: clock(hour + 6) },
    }),
  );
  const applied = await applyAccountFile(database, file);
  if (!applied.ok) throw new Error(JSON.stringify(applied.problems));
  const { accountId } = applied;
  const electionDate = new Date().toISOString().slice(0, 10);
  await database.transaction(async (tx) => {
    await saveElection(tx, accountId, {
      number: '1',
      name: 'General Election',
      electionDate,
      isActive: true,
    });
    await sql`insert into voters (account_id, registration_id, firstname, lastname)
      select ${accountId}, 'C' || n, 'Voter', 'Number ' || n from generate_series(1, ${voterCount}::int) n`.execute(
      tx,
    );
    await sql`insert into contact_preferences (account_id, voter_id, email, email_opt_in, is_valid_email, phone_sms, sms_opt_in, sms_status)
      select account_id, voter_id, case when voter_id % 2 = 0 then 'voter' || voter_id || '@mail.example' else '' end, voter_id % 2 = 0, true,
        case when voter_id % 2 = 1 then '+1555' || lpad(voter_id::text, 7, '0') else '' end, voter_id % 2 = 1, 'active' from voters`.execute(
      tx,
    );
    await sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
      select account_id, voter_id, case when email_opt_in then 'email' else 'sms' end, case when email_opt_in then email else phone_sms end, 'confirmed', 'chaos', 'chaos'
      from contact_preferences`.execute(tx);
  });
  return accountId;
}

/**
 * Imports small changes one after the other, each in a transaction that also makes its messages. Every change is a ballot
 * of its own, so that no message is overtaken by another and each must arrive.
 */
async function keepImporting(
  database: Database,
  accountId: number,
  random: () => number,
  isOver: () => boolean,
): Promise<void> {
  const config = readConfig({ BASE_DOMAIN: 'localhost', DEFAULT_ACCOUNT: 'chaos' });
  for (let turn = 1; !isOver(); turn += 1) {
    const size = 5 + Math.floor(random() * 15);
    await database
      .transaction(async (tx) => {
        const { rows } = await sql<{ import_id: number }>`
          insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at, rows_read, rows_refused, report)
          values (${accountId}, 'chaos', 'chaos.csv', '\\x00', 'done', 'operator:chaos', now(), now(), ${size}, 0, '{}') returning import_id`.execute(
          tx,
        );
        const importId = rows[0]?.import_id ?? 0;
        await sql`create temp table changed_ballots on commit drop as
          with made as (insert into ballots (account_id, voter_id, election_id, ballot_number, current_status)
            select v.account_id, v.voter_id, e.election_id, ${`${turn}-${importId}`}, 'sent' from voters v, elections e order by random() limit ${size}
            returning ballot_id, election_id),
          told as (insert into ballot_events (account_id, ballot_id, kind, status, occurred_on, import_id)
            select ${accountId}::integer, ballot_id, 'office', 'sent', current_date, ${importId}::bigint from made returning ballot_id, event_id)
          select ballot_id, event_id, null::text as old_status, 'sent'::text as new_status, election_id, current_date as occurred_on
          from told join made using (ballot_id)`.execute(tx);
        await enqueueMessages(tx, config, { accountId, importId, rowsRead: size }, new Date());
      })
      // The database was killed under it: nothing of it is there, or all; the next is another one.
      .catch(() => wait(100));
    await wait(50 + random() * 150);
  }
}

/** The first line of the file that PostgreSQL keeps while it runs is its process. */
function killPostmaster(folder: string): void {
  const file = join(folder, 'postgres', 'cluster', 'postmaster.pid');
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  process.kill(pid, 'SIGKILL');
}

async function freePort(): Promise<number> {
  const server = createNetServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Mulberry32: small, and the same everywhere for a seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
