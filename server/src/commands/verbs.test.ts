import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { type CommandContext, createCommandContext } from './context.ts';
import { processSurroundings } from './surroundings.ts';
import { verbs as listed } from './verbs.ts';

interface CommandFile {
  readonly register?: (program: Command, context: CommandContext) => void;
}

/** What each file here registers, by the file's name. */
const registered: Record<string, string[]> = {};
const descriptions: Record<string, string> = {};
for (const file of readdirSync(import.meta.dirname)) {
  if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
  const { href } = new URL(file, import.meta.url);
  const { register }: CommandFile = await import(href);
  if (!register) continue;
  const program = new Command();
  register(program, createCommandContext(processSurroundings));
  for (const one of program.commands) descriptions[one.name()] = one.description();
  registered[basename(file, '.ts')] = program.commands.map((command) => command.name());
}
const verbs = Object.keys(registered);

let db: TestDatabase;
let beacon: Beacon;
beforeAll(async () => {
  db = await createTestDatabase();
  beacon = createBeacon(db.url);
});
afterAll(async () => {
  beacon.remove();
  await db.drop();
});

test('each command is in the file of its name, and the help lists them all', async () => {
  expect(registered).toEqual(Object.fromEntries(verbs.map((verb) => [verb, [verb]])));
  const help = await beacon.do('--help');
  const inHelp = [...help.matchAll(/^ {2}([a-z][a-z-]*) .*/gm)].map(([, verb]) => verb);
  expect(inHelp.filter((verb) => verb !== 'help').sort()).toEqual(verbs.toSorted());
  expect(
    Object.fromEntries(Object.entries(listed).map(([verb, one]) => [verb, one.description])),
  ).toEqual(descriptions);
  for (const verb of ['imports', 'scan-push']) {
    expect(await beacon.do(verb, '--help')).toContain(`Usage: beacon ${verb} [options]`);
  }
  expect(await beacon.run('no-verb')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("unknown command 'no-verb'"),
  });
});

// All other tests run the verbs in their own process; what a shell sees is tried here.
describe('a process of its own', () => {
  test.each(verbs)('%s ends with 2 when it is used wrongly, and writes nothing', async (verb) => {
    const alone = createBeacon(db.url);
    const { code, stdout, stderr } = await alone.start(verb, '--no-such-option').result;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: /);
    expect(readdirSync(alone.folder)).toEqual([]);
    alone.remove();
  });

  test('loads the verb that it runs and no other, and for the list of verbs none', async () => {
    const trace = `import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) {
        process.stderr.write('loaded ' + url + '\\n');
        return next(url, context);
      } });`;
    const cli = fileURLToPath(new URL('../cli.ts', import.meta.url));
    const loaded = async (...parameters: string[]) => {
      const { stderr } = await promisify(execFile)(process.execPath, [
        ...['--import', `data:text/javascript,${encodeURIComponent(trace)}`],
        ...[cli, ...parameters],
      ]);
      return [...stderr.matchAll(/^loaded .*\/(commands|modules)\/(\S+)\.ts$/gm)].map(
        ([, folder, name]) => `${folder}/${name}`,
      );
    };
    expect((await loaded('--help')).sort()).toEqual(['commands/surroundings', 'commands/verbs']);
    const ofCure = await loaded('cure', '--help');
    expect(ofCure).toContain('commands/cure');
    expect(verbs.filter((verb) => ofCure.includes(`commands/${verb}`))).toEqual(['cure']);
  });

  test('ends with 0 when it is done, and finds files from where it stands', async () => {
    const account = { subdomain: 'adams', name: 'Adams', county: 'Adams', state: 'WA' };
    beacon.write('account.json', JSON.stringify({ ...account, time_zone: 'UTC' }));
    const applied = await beacon.start('account', 'apply', 'account.json').result;
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(applied.stdout).toContain('adams');
    const audit = await beacon.start('audit', '--account', 'adams', '--json').result;
    expect(JSON.parse(audit.stdout)).toMatchObject([{ actor: 'operator:tester' }]);
  });

  test('runs as a user whom the machine knows by number alone, as in a container', async () => {
    const unnamed = `import os from 'node:os';
      import { syncBuiltinESMExports } from 'node:module';
      os.userInfo = () => { throw new Error('uv_os_get_passwd returned ENOENT'); };
      syncBuiltinESMExports();`;
    const cli = fileURLToPath(new URL('../cli.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...['--import', `data:text/javascript,${encodeURIComponent(unnamed)}`], cli, 'migrate'],
      { env: { PATH: process.env.PATH, HOME: beacon.folder, DATABASE_URL: db.url } },
    );
    expect(stdout).toContain('up to date');
  });

  test('ends with 1 when it fails, with the reason on standard error', async () => {
    expect(await beacon.start('audit', '--account', 'lake').result).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Account lake does not exist'),
    });
  });
});
