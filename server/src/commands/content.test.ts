import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { scanPng, scanSvg } from '../../../testing/scan-qr.ts';
import { sql } from '../../../testing/sql.ts';

let office: TestOffice;
let beacon: Beacon;

beforeEach(async () => {
  office = await createTestOffice();
  beacon = createBeacon(office.db.url);
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

const adams = ['--account', 'adams'];
const english = [...adams, '--language', 'english'];

/** Rows of the office's own tables, as the page is made of them. */
async function rowsOf(table: string, columns: string): Promise<unknown[]> {
  const { rows } = await sql`
    select ${sql.raw(columns)} from ${sql.raw(table)} order by 1`.execute(
    office.db.database.system,
  );
  return rows;
}

async function audited(): Promise<unknown[]> {
  const { rows } = await sql<{ line: string }>`
    select actor || ' ' || action || ' ' || target as line from audit_log
    where actor = 'operator:tester' order by audit_id`.execute(office.db.database.system);
  return rows.map(({ line }) => line);
}

describe('every one of these commands', () => {
  test.each([
    ['faq', 'set', '--language', 'english', '--default'],
    ['no-ballot', 'set', '--language', 'english', '--default'],
    ['translation', 'set', 'login.title', '--language', 'english', '--default'],
    ['release-note', 'add', '--text', 'New'],
    ['flag', 'set', 'voterOutage', 'on'],
    ['flag', 'list'],
    ['session', 'end', '--all'],
    ['qr', '--election', '7', '--out', 'codes.csv'],
  ])('%s %s lists the accounts when the account does not exist', async (...command) => {
    expect(await beacon.run(...command, '--account', 'adam')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Account adam does not exist. You have: adams.\n',
    });
    expect(readdirSync(beacon.folder)).toEqual([]);
    expect(await audited()).toEqual([]);
  });
});

describe('an office’s own FAQ', () => {
  test('is shown without unsafe parts, and can be reset', async () => {
    const file = beacon.write(
      'faq.html',
      '\uFEFF<h2>When?</h2><p onclick="x()">Soon.<script>steal()</script> <a href="javascript:x()">Why</a></p>',
    );
    const shown = await beacon.do('faq', 'set', ...english, '--file', file);
    expect(shown).toContain('<h2>When?</h2><p>Soon.');
    expect(shown).not.toMatch(/script|onclick|\uFEFF/);
    expect(await rowsOf('office_pages', 'page, language, html')).toEqual([
      { page: 'faq', language: 'english', html: shown.trimEnd() },
    ]);
    await beacon.do('faq', 'set', ...english, '--default');
    expect(await rowsOf('office_pages', 'page')).toEqual([]);
    expect(await audited()).toEqual([
      'operator:tester page.set faq english',
      'operator:tester page.set faq english',
    ]);
  });

  test('stays unchanged when the command or its file is wrong', async () => {
    const nothing = beacon.write('nothing.html', '<script>alert(1)</script>');
    for (const [code, message, ...given] of [
      [1, 'contains no text to show', '--file', nothing],
      [1, 'gone.html cannot be read', '--file', beacon.path('gone.html')],
      [2, 'either --file or --default'],
      [2, 'either --file or --default', '--file', nothing, '--default'],
      [2, 'Use one of: arabic', '--file', nothing, '--language', 'klingon'],
    ] as const) {
      const result = await beacon.run('faq', 'set', ...english, ...given);
      expect(result).toEqual({ code, stdout: '', stderr: expect.stringContaining(message) });
    }
    expect(await rowsOf('office_pages', 'page')).toEqual([]);
    expect(await audited()).toEqual([]);
  });
});

describe('an office’s words for a voter without a ballot', () => {
  test('are set and reset', async () => {
    const words = ['--title', 'None yet', '--description', 'Ballots go out on October 5.'];
    await beacon.do('no-ballot', 'set', ...english, ...words);
    expect(await rowsOf('no_ballot_messages', 'language, title, description')).toEqual([
      { language: 'english', title: 'None yet', description: 'Ballots go out on October 5.' },
    ]);
    const later = ['--title', 'Soon', '--description', 'Ballots go out today.'];
    await beacon.do('no-ballot', 'set', ...english, ...later);
    const inSpanish = [...adams, '--language', 'spanish'];
    await beacon.do('no-ballot', 'set', ...inSpanish, '--title', 'Aún no', '--description', 'Hoy.');
    const spanish = { language: 'spanish', title: 'Aún no', description: 'Hoy.' };
    expect(await rowsOf('no_ballot_messages', 'language, title, description')).toEqual([
      { language: 'english', title: 'Soon', description: 'Ballots go out today.' },
      spanish,
    ]);
    await beacon.do('no-ballot', 'set', ...english, '--default');
    expect(await rowsOf('no_ballot_messages', 'language, title, description')).toEqual([spanish]);
  });

  test('have no words of another office before them in their history', async () => {
    const lake = await createTestOffice({ subdomain: 'lake', county: 'Lake' }, office);
    const set = (account: string, title: string) =>
      beacon.do(
        ...['no-ballot', 'set', '--account', account, '--language', 'english'],
        ...['--title', title, '--description', 'Soon.'],
      );
    await set('lake', 'Theirs');
    await set('adams', 'Ours');
    expect(await rowsOf('text_versions', 'title_after, title_before')).toEqual([
      { title_after: 'Ours', title_before: '' },
      { title_after: 'Theirs', title_before: '' },
    ]);
    await lake.close();
  });

  test('are refused when one of them is missing', async () => {
    const whole = ['--title', 'None yet', '--description', 'x'];
    for (const given of [
      ...[['--title', 'None yet'], [], ['--title', ' ', '--description', 'x']],
      [...whole, '--default'],
    ]) {
      expect((await beacon.run('no-ballot', 'set', ...english, ...given)).code).toBe(2);
    }
    expect(await rowsOf('no_ballot_messages', 'language')).toEqual([]);
  });
});

describe('an office’s own words for one text of the page', () => {
  test('are set and reset', async () => {
    await beacon.do('translation', 'set', 'title.login', 'Follow your ballot', ...english);
    expect(await rowsOf('translation_overrides', 'language, section, key, value')).toEqual([
      { language: 'english', section: 'main', key: 'title.login', value: 'Follow your ballot' },
    ]);
    await beacon.do('translation', 'set', 'title.login', ...english, '--default');
    expect(await rowsOf('translation_overrides', 'key')).toEqual([]);
  });

  test('are refused for an unknown text or an unknown placeholder', async () => {
    for (const [code, message, ...given] of [
      [1, 'main.json has no text title.logon', 'title.logon', 'Hello'],
      [1, '{{name}} is not available in title.login', 'title.login', 'Hello {{name}}'],
      [2, 'either a text or --default', 'title.login'],
      [2, 'either a text or --default', 'title.login', 'Hello', '--default'],
      [2, 'must not be empty', 'title.login', ' '],
    ] as const) {
      const result = await beacon.run('translation', 'set', ...given, ...english);
      expect(result).toEqual({ code, stdout: '', stderr: expect.stringContaining(message) });
    }
    expect(await rowsOf('translation_overrides', 'key')).toEqual([]);
  });
});

describe('a release note', () => {
  test('is stored with its date, and without unsafe parts', async () => {
    const note = '<p>Texts are <b>back</b>.<script>steal()</script></p>';
    await beacon.do('release-note', 'add', ...adams, '--text', note, '--date', '10/5/2026');
    const html = '<p>Texts are <b>back</b>.</p>';
    expect(await rowsOf('release_notes', 'html, published_at')).toEqual([
      { html, published_at: new Date('2026-10-05T12:00:00Z') },
    ]);
  });

  test('is refused without text or with a date that does not exist', async () => {
    for (const [code, message, ...given] of [
      [1, 'contains no text to show', '--text', '<script>x</script>'],
      [2, 'either --text or --file'],
      [2, 'Use a date that exists', '--text', 'New', '--date', '10/05/26'],
      [2, 'Use a date that exists', '--text', 'New', '--date', '2/30/2026'],
    ] as const) {
      const result = await beacon.run('release-note', 'add', ...adams, ...given);
      expect(result).toEqual({ code, stdout: '', stderr: expect.stringContaining(message) });
    }
    expect(await rowsOf('release_notes', 'html')).toEqual([]);
  });
});

describe('a part of the page', () => {
  const listed = async () =>
    JSON.parse(await beacon.do('flag', 'list', ...adams, '--json')) as { key: string }[];
  const find = async (key: string) => (await listed()).find((flag) => flag.key === key);

  test('can be turned on, is listed as on, and can be reset to its default', async () => {
    expect(await find('tabbedBallots')).toMatchObject({ defaultValue: false, definition: null });
    await beacon.do('flag', 'set', 'tabbedBallots', 'on', ...adams);
    expect(await find('tabbedBallots')).toMatchObject({ definition: { defaultVariant: 'on' } });
    expect(await beacon.do('flag', 'list', ...adams)).toMatch(/^voterOutage: false \(default\)\./m);
    const lake = await createTestOffice({ subdomain: 'lake', county: 'Lake' }, office);
    const inLake = ['--account', 'lake'];
    await beacon.do('flag', 'set', 'tabbedBallots', 'on', ...inLake);
    await beacon.do('flag', 'set', 'tabbedBallots', 'default', ...adams);
    expect(await find('tabbedBallots')).toMatchObject({ definition: null });
    expect(await beacon.do('flag', 'list', ...inLake)).toMatch(/^tabbedBallots: .*"on"/m);
    await lake.close();
  });

  test('can be defined by a file as an editor on Windows saves it', async () => {
    const definition = {
      state: 'ENABLED',
      variants: { on: true, off: false },
      defaultVariant: 'on',
    };
    const file = beacon.write('flag.json', `\uFEFF${JSON.stringify(definition)}`);
    await beacon.do('flag', 'set', 'tabbedBallots', '--definition', file, ...adams);
    expect(await find('tabbedBallots')).toMatchObject({ definition });
  });

  test('stays unchanged when the command or the definition is wrong', async () => {
    const broken = beacon.write('broken.json', '{"state":');
    const variants = { on: true, off: false };
    const define = (name: string, definition: object) =>
      beacon.write(name, JSON.stringify(definition));
    const foreign = define('foreign.json', { state: 'PERHAPS', variants, defaultVariant: 'on' });
    const vague = define('vague.json', { state: 'ENABLED', variants });
    const none = beacon.write('none.json', 'null');
    for (const [code, message, ...given] of [
      [1, 'broken.json is not valid JSON: line 1', 'voterOutage', '--definition', broken],
      [1, 'foreign.json cannot be used', 'voterOutage', '--definition', foreign],
      [
        1,
        'lacks defaultVariant, which must be one of on, off',
        'voterOutage',
        '--definition',
        vague,
      ],
      [1, 'none.json must contain one', 'voterOutage', '--definition', none],
      [2, 'Use on, off or default, or --definition', 'voterOutage'],
      [2, 'Use on, off or default, or --def', 'voterOutage', 'on', '--definition', vague],
      [2, 'Allowed choices are voterOutage', 'voterOutrage', 'on'],
      [2, 'Allowed choices are on', 'voterOutage', 'yes'],
    ] as const) {
      const result = await beacon.run('flag', 'set', ...given, ...adams);
      expect(result).toEqual({ code, stdout: '', stderr: expect.stringContaining(message) });
    }
    expect(await rowsOf('flag_definitions', 'flag_key')).toEqual([]);
  });
});

const roll = [
  'registration_id,firstname,lastname,birthdate,zipcode',
  '00/1,Ann,Lee,01/02/1950,99301',
  '2,Bo,Lee,01/02/1951,99301',
].join('\n');

describe('signed-in voters', () => {
  beforeEach(async () => {
    await office.import('beacon-voters', roll);
    await sql`
      insert into sessions (account_id, session_hash, voter_id, created_at, last_active_at, expires_at)
      select account_id, sha256(registration_id::bytea), voter_id, now(), now(), now() + interval '1 hour'
      from voters`.execute(office.db.database.system);
  });

  const signedIn = () => rowsOf('sessions join voters using (voter_id)', 'registration_id');

  test('are signed out one by one, or all at once', async () => {
    expect(await beacon.do('session', 'end', ...adams, '--voter', '2')).toContain('1 session');
    expect(await signedIn()).toEqual([{ registration_id: '00/1' }]);
    await beacon.do('session', 'end', ...adams, '--all');
    expect(await signedIn()).toEqual([]);
    // The audit log must not say whose session it was.
    expect(await audited()).toEqual([
      'operator:tester file.import 1',
      'operator:tester session.end one voter',
      'operator:tester session.end all',
    ]);
  });

  test('stay signed in when no voter has the typed ID, and the operator gets an error', async () => {
    expect(await beacon.run('session', 'end', ...adams, '--voter', '22')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Account adams has no voter with ID 22. Did Excel drop the leading zeros? Nobody was signed out.\n',
    });
    expect(await signedIn()).toHaveLength(2);
    expect(await audited()).not.toContain('operator:tester session.end one voter');
  });

  test('stay signed in when the command names nobody', async () => {
    for (const given of [[], ['--all', '--voter', '2']]) {
      const result = await beacon.run('session', 'end', ...adams, ...given);
      expect(result).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--voter or --all'),
      });
    }
    expect(await signedIn()).toHaveLength(2);
  });
});

describe('QR codes', () => {
  const qr = ['qr', ...adams, '--election', '7'];

  beforeEach(async () => {
    await office.import('beacon-voters', `${roll}\n00_1,Cy,Lee,01/02/1952,99301`);
    await office.addElection('7', '2026-11-03');
    await office.import(
      'voter-focus-ballots',
      [
        'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription',
        '7,00/1,Outbound,10/05/2026,,,',
        '7,2,Outbound,10/05/2026,,,',
        '7,00_1,Outbound,10/05/2026,,,',
      ].join('\n'),
    );
  });

  const address =
    /^http:\/\/adams\.[a-z.]+:\d+\/voter\/qr-login\?guid=[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

  test('lead to the sign-in for their ballot, the same in a table, a PNG and an SVG', async () => {
    const table = join(beacon.folder, 'codes.csv');
    expect(await beacon.do(...qr, '--out', table)).toContain('3 codes written');
    const [header, ...lines] = readFileSync(table, 'utf8').trimEnd().split('\r\n');
    expect(header).toBe('VoterID,BallotNumber,BallotGuid,Url');
    const urls = lines.map((line) => line.split(',')[3] ?? '');
    for (const url of urls) expect(url).toMatch(address);
    expect(new Set(urls).size).toBe(3);

    const scanned: Record<string, string[]> = {};
    for (const [format, start, scan] of [
      ['png', Buffer.from('89504e470d0a1a0a', 'hex'), scanPng],
      ['svg', Buffer.from('<svg '), (file: Buffer) => scanSvg(file.toString())],
    ] as const) {
      const folder = join(beacon.folder, format);
      await beacon.do(...qr, '--format', format, '--out', folder);
      scanned[format] = readdirSync(folder)
        .sort()
        .map((name) => {
          expect(name).toMatch(new RegExp(`^(00_1|2)-\\d+\\.${format}$`));
          // The code is half of what it takes to sign in as the voter.
          expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
          const file = readFileSync(join(folder, name));
          expect(file.subarray(0, start.length)).toEqual(start);
          return scan(file);
        })
        .sort();
    }
    expect(scanned).toEqual({ png: urls.toSorted(), svg: urls.toSorted() });
    expect(statSync(table).mode & 0o777).toBe(0o600);
  });

  test('are not created when the election, the voter, the path or the format is wrong', async () => {
    mkdirSync(join(beacon.folder, 'folder'));
    for (const [code, message, ...given] of [
      [
        1,
        'Election 8 does not exist. You have: 7.',
        '--out',
        beacon.path('codes.csv'),
        '--election',
        '8',
      ],
      [
        1,
        'Voter 22 has no ballot in election 7',
        '--out',
        beacon.path('codes.csv'),
        '--voter',
        '22',
      ],
      [1, 'cannot be written', '--out', beacon.path('folder')],
      [1, 'cannot be written', '--out', beacon.path('gone/codes.csv')],
      [
        2,
        'Allowed choices are csv, png, svg',
        '--out',
        beacon.path('codes.gif'),
        '--format',
        'gif',
      ],
      [2, "required option '--out"],
      [1, '--renew needs --letters.', '--out', beacon.path('codes.csv'), '--renew'],
    ] as const) {
      const result = await beacon.run(...qr, ...given);
      expect(result).toEqual({ code, stdout: '', stderr: expect.stringContaining(message) });
      expect(result.stderr).not.toMatch(/^ +at /m);
    }
    expect(await rowsOf('ballot_codes', 'ballot_id')).toEqual([]);
    expect(readdirSync(beacon.folder)).toEqual(['folder']);
  });
});
