import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCodeBlocks } from '../../testing/pages.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-command-'));
  for (const name of ['', '-worker', '-office'])
    writeFileSync(path.join(folder, `ballot-beacon${name}.env`), '');
  writeFileSync(
    path.join(folder, 'runuser'),
    '#!/bin/sh\necho "$BEACON_OPERATOR, $XDG_STATE_HOME: $*"\n',
    {
      mode: 0o755,
    },
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the page's command for administrators, whose user of the processes is a stand-in. */
function runCommand(environment: NodeJS.ProcessEnv): string {
  const [block] = readCodeBlocks('operations/deployment.md').filter(({ text }) =>
    text.includes('/usr/local/bin/beacon'),
  );
  const [, script = ''] = /<<'END'\n(.*?)END\n/s.exec(block?.text ?? '') ?? [];
  const file = path.join(folder, 'beacon');
  writeFileSync(file, script.replaceAll('/etc/', `${folder}/`), { mode: 0o755 });
  const { stdout } = spawnSync(file, ['audit', '--site'], {
    encoding: 'utf8',
    env: { PATH: `${folder}:/usr/bin:/bin`, ...environment },
  });
  return stdout.trim();
}

test('the record names the administrator who runs the command, whose sign-in is nobody else’s', () => {
  const [what, folders] = [
    '-u beacon -- /opt/ballot-beacon/server/beacon audit --site',
    '/var/lib/ballot-beacon/commands',
  ];
  const { username } = userInfo();
  expect(runCommand({ SUDO_USER: 'ada' })).toBe(`ada, ${folders}/ada: ${what}`);
  expect(runCommand({})).toBe(`${username}, ${folders}/${username}: ${what}`);
  expect(runCommand({ SUDO_USER: 'ada', BEACON_OPERATOR: 'Ada Wu' })).toBe(
    `Ada Wu, ${folders}/ada: ${what}`,
  );
});
