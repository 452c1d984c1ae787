import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ReturnDeadline } from '@ballot-beacon/contract/ballot-status-progress';
import * as z from 'zod/mini';
import { moveDemoDays, weeksMoved, weeksSinceDemo } from './demo-days.ts';
import {
  applyAccountFile,
  findAccountBySubdomain,
  listAccounts,
  listElections,
  saveElection,
} from './modules/accounts/index.ts';
import { addReleaseNote } from './modules/content/index.ts';
import { findFormat, importFile, listImports } from './modules/imports/index.ts';
import type { TokenKeys } from './modules/voters/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/postgres.ts';

const demoDirectory = fileURLToPath(new URL('../../demo/', import.meta.url));

const Manifest = z.array(
  z.object({
    subdomain: z.string(),
    account: z.string(),
    elections: z.string(),
    imports: z.array(z.object({ file: z.string(), format: z.string() })),
    release_notes: z.array(z.object({ date: z.string(), html: z.string() })),
    sign_in: z.object({
      firstname: z.string(),
      lastname: z.string(),
      zipcode: z.string(),
      birthdate: z.string(),
      token: z.optional(z.string()),
    }),
  }),
);
export interface DemoOptions {
  readonly dataDirectory: string;
  readonly tokenKeys: TokenKeys;
}

export type DemoAccount = z.infer<typeof Manifest>[number];

const Elections = z.array(
  z.object({
    number: z.string(),
    name: z.string(),
    date: z.string(),
    active: z.boolean(),
    return_deadline: z.optional(ReturnDeadline),
  }),
);

/** The invented counties of `demo/`, each with a voter to sign in as. */
export async function readDemo(): Promise<DemoAccount[]> {
  return Manifest.parse(JSON.parse(await readFile(join(demoDirectory, 'manifest.json'), 'utf8')));
}

/**
 * Loads the invented counties by the same steps as an office's own: account file, elections, files, their days moved to
 * this week. Only into a database without other accounts; whatever an interrupted start has not loaded is loaded now.
 *
 * @returns whether there was anything to load
 * @throws when a file of the demo is refused, which is a bug
 */
export async function loadDemo(
  database: Database,
  clock: Clock,
  options: DemoOptions,
): Promise<boolean> {
  const demo = await readDemo();
  const ours = new Set(demo.map(({ subdomain }) => subdomain));
  const present = await listAccounts(database.system);
  if (present.some(({ subdomain }) => !ours.has(subdomain))) return false;

  let hasLoaded = false;
  for (const account of demo) {
    const known = present.find(({ subdomain }) => subdomain === account.subdomain);
    const done = known ? await listImports(database.system, known.accountId, 1000) : [];
    if (known && done.length >= account.imports.length) continue;
    const loaded = new Set(done.map(({ fileName }) => fileName));
    await loadAccount(database, clock, account, loaded, options);
    hasLoaded = true;
  }
  return hasLoaded;
}

async function loadAccount(
  database: Database,
  clock: Clock,
  { subdomain, account, elections, imports, release_notes: notes }: DemoAccount,
  loaded: ReadonlySet<string>,
  { dataDirectory, tokenKeys }: DemoOptions,
): Promise<void> {
  const applied = await applyAccountFile(database, join(demoDirectory, account));
  if (!applied.ok) throw new Error(`The demo's ${account}: ${JSON.stringify(applied.problems)}`);
  const read = (file: string) => readFile(join(demoDirectory, file), 'utf8');
  const written = await read(elections);
  const known = await listElections(database.system, applied.accountId);
  const weeks = weeksOf(clock, known, parseElections(written));
  const wanted = parseElections(moveDemoDays(written, weeks));
  await database.transaction(async (tx) => {
    for (const { number, name, date, active, return_deadline } of wanted) {
      const election = {
        number,
        // The year of an election is that of its day.
        name: name.replace('2026', date.slice(0, 4)),
        electionDate: date,
        isActive: active,
        returnDeadline: return_deadline ?? null,
      };
      await saveElection(tx, applied.accountId, election);
    }
    // Elections that are there came with their notes.
    if (known.length > 0) return;
    for (const { date, html } of notes) {
      const publishedAt = new Date(`${moveDemoDays(date, weeks)}T12:00:00Z`);
      await addReleaseNote(tx, applied.accountId, { html, publishedAt });
    }
  });

  const office = await findAccountBySubdomain(database.system, subdomain);
  if (!office) throw new Error(`The demo's account ${subdomain} is missing.`);
  for (const { file, format } of imports) {
    const name = moveDemoDays(basename(file), weeks);
    // After newer ones it would look like an old file by mistake.
    if (loaded.has(name)) continue;
    const found = await findFormat(format);
    if (!found.ok) throw new Error(found.message);
    const text = moveDemoDays(await read(file), weeks);
    const { state, report } = await importFile(database, clock, {
      account: office,
      format: found.format,
      file: { name, open: () => Readable.from([Buffer.from(text)]) },
      operator: 'system',
      tokenKeys,
      rejectsDirectory: join(dataDirectory, 'rejects', subdomain),
    });
    if (state === 'refused') throw new Error(`The demo's ${file}: ${report.refusedBecause}`);
    if (state === 'file-held')
      throw new Error(`The demo's ${file}: ${report.gate?.map(({ detail }) => detail).join(' ')}`);
  }
}

function parseElections(text: string) {
  return Elections.parse(JSON.parse(text));
}

/** As many as by a start that was interrupted: other days than those of the files before would look like a wrong file. */
function weeksOf(
  clock: Clock,
  [first]: Awaited<ReturnType<typeof listElections>>,
  written: ReturnType<typeof parseElections>,
): number {
  const election = written.find(({ number }) => number === first?.number);
  return first && election
    ? weeksMoved(election.date, first.electionDate)
    : weeksSinceDemo(clock.now());
}
