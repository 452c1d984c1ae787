import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';

let office: TestOffice;
let beacon: Beacon;
const adams = ['--account', 'adams'];
const english = [...adams, '--language', 'english'];

beforeAll(async () => {
  office = await createTestOffice();
  beacon = createBeacon(office.db.url);
});
afterAll(async () => {
  beacon.remove();
  await office.close();
});

const written = '{ "subdomain": "adams", "name": "Doña Ana County" }';
const asWindows = Buffer.from(written, 'latin1');
const asUtf16 = Buffer.from(`\uFEFF${written}`, 'utf16le');
const withNul = Buffer.from(written.replace('ñ', '\0'));

test.each([
  ['alert', 'set', ...english, '--file', 'FILE'],
  ['faq', 'set', ...english, '--file', 'FILE'],
  ['release-note', 'add', ...adams, '--file', 'FILE'],
  ['flag', 'set', 'tabbedBallots', ...adams, '--definition', 'FILE'],
  ['account', 'apply', 'FILE'],
  ['format', 'show', 'FILE'],
  ['locale', 'import', 'FILE', '--by', 'Reviewer'],
])(
  '%s %s refuses a file in another encoding, of which voters would read other letters',
  async (...command) => {
    for (const content of [asWindows, asUtf16, withNul]) {
      const file = beacon.write('written.json', content);
      const refused = await beacon.run(...command.map((word) => (word === 'FILE' ? file : word)));
      expect(refused.code).not.toBe(0);
      expect(refused).toMatchObject({
        stdout: '',
        stderr: expect.stringContaining('is not text in UTF-8. Save it as UTF-8'),
      });
    }
    expect(await beacon.do('translation', 'list', ...adams)).not.toContain('Ana');
    expect(await beacon.do('account', 'list')).not.toContain('Ana');
  },
);

test('a file that Windows wrote is shown with its lines, and nothing between them', async () => {
  const file = beacon.write('notice.html', '\uFEFFWe close\r\nat noon.\r\n');
  expect(await beacon.do('alert', 'set', ...english, '--file', file)).toContain(
    'see now: We close\nat noon.',
  );
});

test('a text longer than the console takes is refused, before every page carries it', async () => {
  const longest = `<p>${'a'.repeat(39_993)}</p>`;
  const text = (name: string, html: string) => beacon.write(name, html);
  await beacon.do('alert', 'set', ...english, '--file', text('longest.html', longest));
  const file = text('long.html', `${longest}b`);
  for (const command of [
    ['alert', 'set', ...english],
    ['faq', 'set', ...english],
    ['release-note', 'add', ...adams],
  ])
    expect(await beacon.run(...command, '--file', file)).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'This text is too long: it has 40,001 letters, and 40,000 are the most.\n',
    });
});
