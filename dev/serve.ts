import { type ChildProcess, fork } from 'node:child_process';
import { watch } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import path from 'node:path';
import process from 'node:process';
import { readConfig } from '../server/src/platform/config.ts';
import { openPageSources } from '../web/build/page-sources.ts';

/**
 * The API with the page from its sources, run by `dev/start.ts` and by the journeys on React's development build. Vite
 * stays in this process. The API is a process below it, replaced when a file of the server changes: by one that waits
 * with all packages loaded, so that only the sources are read again. Requests wait meanwhile.
 */

export type ToApi =
  | { readonly kind: 'begin' }
  | {
      readonly kind: 'rendered';
      readonly id: number;
      readonly page?: unknown;
      readonly error?: string;
    };
export type FromApi =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'render'; readonly id: number; readonly input: unknown };

// Voters get the built page, with its strict policy and without React's development build.
if (process.env.NODE_ENV === 'production')
  throw new Error('dev/serve.ts is for development: start the product with npm start.');

const root = path.resolve(import.meta.dirname, '..');
const watched = ['server/src', 'contract/src', 'locales'];
/** An editor writes a file in several steps. */
const settleMs = 30;
process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules/.cache/dev');

const config = readConfig();
const front = createServer((incoming, outgoing) => void pass(incoming, outgoing));
const render = await openPageSources<unknown, { styleHashes: readonly string[] }>(front);

let active: ChildProcess | undefined;
let standby: ChildProcess | undefined;
let hasListened = false;
let announcePort = (_port: number | undefined): void => {};
/** Where the API listens; undefined when it ended by itself. */
let apiPort: Promise<number | undefined>;
replaceApi();

let settling: NodeJS.Timeout | undefined;
for (const folder of watched)
  watch(path.join(root, folder), { recursive: true }, (_event, name) => {
    if (name === null || name.endsWith('.test.ts') || !/\.(ts|json|html)$/.test(name)) return;
    clearTimeout(settling);
    settling = setTimeout(replaceApi, settleMs);
  });

for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const)
  process.on(event, () => {
    for (const child of [active, standby]) child?.kill('SIGTERM');
    process.exit();
  });

function replaceApi(): void {
  const previous = active;
  active = standby ?? startApi();
  standby = undefined;
  previous?.kill('SIGTERM');
  const waiting = announcePort;
  apiPort = new Promise((resolve) => {
    announcePort = (port) => {
      resolve(port);
      waiting(port);
    };
  });
  active.send({ kind: 'begin' } satisfies ToApi);
}

function startApi(): ChildProcess {
  const child = fork(path.join(import.meta.dirname, 'api.ts'));
  child.on('message', (message: FromApi) => {
    if (message.kind === 'render') return void answerRender(child, message);
    announcePort(message.port);
    standby ??= startApi();
    if (!hasListened) listen();
    hasListened = true;
  });
  child.on('exit', () => {
    if (child === standby) standby = undefined;
    if (child !== active) return;
    process.stderr.write('The API ended. It starts again when a file changes.\n');
    announcePort(undefined);
  });
  return child;
}

async function answerRender(
  child: ChildProcess,
  { id, input }: Extract<FromApi, { kind: 'render' }>,
): Promise<void> {
  const answer = await render(input).then(
    (page) => ({ page }),
    (error: unknown) => ({ error: error instanceof Error ? `${error.stack}` : String(error) }),
  );
  if (child.connected) child.send({ kind: 'rendered', id, ...answer } satisfies ToApi);
}

/** Once the API answers, so that nobody is sent to a page that cannot be shown yet. */
function listen(): void {
  front.once('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  front.listen(config.port, config.host, () => {
    process.send?.({ kind: 'listening', port: config.port });
  });
}

/** Passes a request on to the API, as it came. */
async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const port = await apiPort;
  if (port === undefined) {
    outgoing.writeHead(503).end('The API ended; the terminal shows why.\n');
    return;
  }
  const { method, url, headers } = incoming;
  const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(outgoing);
  });
  onward.once('error', () => outgoing.destroy());
  outgoing.once('close', () => onward.destroy());
  incoming.pipe(onward);
}
