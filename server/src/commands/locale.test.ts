import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { readFixture } from '../../../testing/unpack-fixture.ts';

const example = path.resolve(import.meta.dirname, '../../../checks/locales/fixture.txt');

let commandLine: Beacon;
let home: string;
beforeEach(() => {
  commandLine = createBeacon('');
  home = commandLine.folder;
  readFixture(example).unpack('allowed', home);
});
afterEach(() => commandLine.remove());

const beacon = (...parameters: string[]) =>
  commandLine.run('locale', ...parameters, '--folder', path.join(home, 'locales'));

const role = ['--by', 'County language access coordinator'];

describe('beacon locale', () => {
  it('exports one language as a file and imports the corrected file', async () => {
    const file = path.join(home, 'russian.xlf');
    expect(await beacon('export', 'russian', '--out', file)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('13 texts'),
    });
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace('>Имя<', '>Личное имя<')
        .replace('id="login.name" approved="no"', 'id="login.name" approved="yes"'),
    );
    const taken = await beacon('import', file, ...role, '--json');
    expect(JSON.parse(taken.stdout)).toMatchObject({ isImported: true, changed: 1, approved: 1 });
    const texts = readFileSync(path.join(home, 'locales/russian/main.json'), 'utf8');
    expect(texts).toContain('"login.name": "Личное имя"');
  });

  it('refuses a file that would send voters to a polling place, and names the text', async () => {
    const file = path.join(home, 'russian.xlf');
    await beacon('export', 'russian', '--out', file);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('избирательной комиссии', 'избирательном участке'),
    );
    const refused = await beacon('import', file, ...role);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('nothing changed');
    expect(refused.stderr).toContain('main:login.offers: polling-place-for-office');
    const asJson = await beacon('import', file, ...role, '--json');
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ isImported: false });
  });

  // English is what is translated from.
  it.each(['polish', 'english'])('lists the languages when asked for %s', async (language) => {
    const { code, stderr } = await beacon('export', language);
    expect(code).toBe(2);
    expect(stderr).toContain(`Language ${language} does not exist. You have: arabic,`);
  });

  it('reports a missing file', async () => {
    const { code, stderr } = await beacon('import', path.join(home, 'nowhere.xlf'), ...role);
    expect(code).toBe(1);
    expect(stderr).toContain('nowhere.xlf cannot be read; nothing was changed.');
  });
});
