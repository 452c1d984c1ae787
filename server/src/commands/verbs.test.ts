import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { createBeacon } from '../../../testing/beacon.ts';
import { type CommandContext, createCommandContext } from './context.ts';

interface CommandFile {
  readonly register?: (program: Command, context: CommandContext) => void;
}

test('each verb stands in the file of its name, and the help lists them all', async () => {
  const names = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => basename(name, '.ts'));
  const verbs: string[] = [];
  for (const name of names) {
    const { register }: CommandFile = await import(`./${name}.ts`);
    if (!register) continue;
    const program = new Command();
    register(program, createCommandContext({}));
    expect(program.commands.map((command) => command.name())).toEqual([name]);
    verbs.push(name);
  }
  const beacon = createBeacon('');
  try {
    const help = await beacon.do('--help');
    const listed = [...help.matchAll(/^ {2}([a-z][a-z-]*) .*/gm)].map(([, verb]) => verb);
    expect(listed.filter((verb) => verb !== 'help').sort()).toEqual(verbs.sort());
    for (const verb of ['imports', 'scan-push']) {
      expect(await beacon.do(verb, '--help')).toContain(`Usage: beacon ${verb} [options]`);
    }
    expect(await beacon.run('no-verb')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown command 'no-verb'"),
    });
  } finally {
    beacon.remove();
  }
});
