import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { deserialize } from 'node:v8';

import { pg } from '../../testing/sql.ts';
import { queryInPair } from './pair.ts';
import type { Trip } from './recorder.ts';
import type { Recording } from './recording.ts';
import { replayTrips } from './replay.ts';

/**
 * A bare HTTP server over PostgreSQL, as a process of its own: `floor.ts same|one FILE CONNECTIONS`. It answers the request `x-recording: N`
 * with the bytes that the product answered, after the same statements in the same round trips, or after one statement by a
 * primary key. A request has one connection throughout.
 */
const [mode, file = '', connections] = process.argv.slice(2);
const recordings = deserialize(readFileSync(file)) as Recording[];
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(connections),
});
const names = new Map<string, string>();
const ownHeaders = new Set(['date', 'connection', 'keep-alive']);
const heads = recordings.map(({ answer }) =>
  answer.headers.filter(([name]) => !ownHeaders.has(name)).flat(),
);

createServer((request, response) => {
  request.resume().on('end', () => void answer(request, response));
}).listen(Number(process.env.PORT), '127.0.0.1');
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());

async function answer({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const number = Number(headers['x-recording'] ?? -1);
  const recording = recordings[number];
  if (!recording) return void response.end();
  const client = await pool.connect();
  try {
    if (mode === 'one') await readVoter(client, recording);
    else await replay(client, recording);
    const { status, body } = recording.answer;
    response.writeHead(status, heads[number]).end(body);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    response.writeHead(500).end();
  } finally {
    client.release();
  }
}

function readVoter(client: pg.PoolClient, { voter }: Recording): Promise<unknown> {
  const text = 'select firstname, lastname, birthdate, zipcode from voters where voter_id = $1';
  return client.query({ name: 'one', text, values: [voter.voterId] });
}

async function replay(client: pg.PoolClient, { kind, at, trips }: Recording): Promise<void> {
  const options = { laterMs: Date.now() - at, isFresh: kind.startsWith('sign-in') };
  for (const trip of replayTrips(trips, options)) await send(client, trip);
}

async function send(client: pg.PoolClient, trip: Trip): Promise<void> {
  const [first, second] = trip.map(({ text, values }) => ({
    ...{ name: nameOf(text), text },
    values: [...values],
  }));
  if (!first) return;
  if (!second) return void (await client.query(first));
  await prepare(client, first);
  await queryInPair(client, first, second);
}

const prepared = new WeakMap<pg.PoolClient, Set<string>>();

/** The first of a pair is sent by its name. */
async function prepare(
  client: pg.PoolClient,
  statement: { name: string; text: string; values: unknown[] },
): Promise<void> {
  const known = prepared.get(client) ?? new Set<string>();
  if (known.has(statement.name)) return;
  prepared.set(client, known.add(statement.name));
  await client.query(statement);
}

function nameOf(text: string): string {
  const name = names.get(text) ?? `floor${names.size}`;
  names.set(text, name);
  return name;
}
