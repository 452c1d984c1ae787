import { ballotStatuses } from '@ballot-beacon/contract/statuses';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';

let office: TestOffice;
let beacon: Beacon;
const adams = ['--account', 'adams'];
const english = [...adams, '--language', 'english'];

beforeEach(async () => {
  office = await createTestOffice({ languages: ['english', 'spanish'] });
  beacon = createBeacon(office.db.url);
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

test('an office lists its own wording, and searches all texts by their words', async () => {
  expect(await beacon.do('translation', 'list', ...adams)).toBe(
    "This office uses the product's own text everywhere.\n",
  );
  await beacon.do('translation', 'set', 'title.login', 'Follow Your Envelope', ...english);
  expect(await beacon.do('translation', 'list', ...adams)).toBe(
    'english  main  title.login\n    Follow Your Envelope\n',
  );
  const listed = JSON.parse(await beacon.do('translation', 'list', ...adams, '--json'));
  expect(listed).toEqual([
    { language: 'english', section: 'main', key: 'title.login', value: 'Follow Your Envelope' },
  ]);

  const found = await beacon.do('translation', 'search', 'ENVELOPE', ...english);
  expect(found).toMatch(
    /^title\.login {2}\(main, own text\)\n {4}Follow Your Envelope\n {4}instead of: .+$/m,
  );
  expect(found).toMatch(/^status\.\S+ {2}\(main\)\n {4}.*envelope/m);
  // The product has no text there, so there is nothing that the office's own stands in for.
  await beacon.do('translation', 'set', 'profile.countyInfo.html', 'Ask at the desk', ...english);
  expect(await beacon.do('translation', 'search', 'at the desk', ...english)).toBe(
    'profile.countyInfo.html  (main, own text)\n    Ask at the desk\n',
  );
  const byKey = await beacon.do(
    'translation',
    'search',
    'title.login',
    ...adams,
    '--language',
    'spanish',
  );
  expect(byKey).toMatch(/^title\.login {2}\(main\)\n {4}\S/);
  expect(await beacon.run('translation', 'search', 'zzzz', ...english)).toMatchObject({
    code: 1,
    stderr: 'No text contains "zzzz". Search for fewer words, or in another language.\n',
  });
});

const html =
  '<h2 style="color:red">When?</h2><p onclick="x()">Soon.<script>steal()</script> <a href="javascript:x()">Why</a> <img src="x.png"><img src="y.png"></p>';
const dropped =
  'Removed, because pages may not contain it: <script> with its content, <img> (2 times), style of <h2>, onclick of <p>, the link javascript:x().\n';

test.each([
  ['faq', 'set', ...english, '--file', 'FILE'],
  ['release-note', 'add', ...adams, '--file', 'FILE'],
  ['alert', 'set', ...english, '--file', 'FILE'],
  ['translation', 'set', 'profile.countyInfo.html', html, ...english],
])('%s %s names what it removed from the office’s HTML', async (...command) => {
  const file = beacon.write('page.html', html);
  const parameters = command.map((word) => (word === 'FILE' ? file : word));
  const { code, stdout, stderr } = await beacon.run(...parameters);
  expect({ code, stderr }).toEqual({ code: 0, stderr: dropped });
  expect(stdout).toContain('<h2>When?</h2><p>Soon. <a>Why</a>');
});

test('a single part that was removed is named too', async () => {
  const file = beacon.write('page.html', '<p>Soon.<script>steal()</script></p>');
  expect(await beacon.run('faq', 'set', ...english, '--file', file)).toMatchObject({
    stderr: 'Removed, because pages may not contain it: <script> with its content.\n',
  });
});

test('HTML of which everything stays is stored without a word about it', async () => {
  const file = beacon.write(
    'fine.html',
    '<h1>When?</h1><p lang="es">Pronto. <a href="https://county.example" target="_self">Más</a><br/></p>',
  );
  expect(await beacon.run('faq', 'set', ...english, '--file', file)).toMatchObject({ stderr: '' });
});

test('an office’s notice is set in a language, and removed again', async () => {
  const notices = async () =>
    (
      JSON.parse(await beacon.do('translation', 'list', ...adams, '--json')) as {
        key: string;
        language: string;
        value: string;
      }[]
    )
      .filter(({ key }) => key === 'alert.office.html')
      .map(({ language, value }) => `${language}: ${value}`);
  await beacon.do('alert', 'clear', ...adams);
  const spanish = ['--language', 'spanish'];
  await beacon.do('alert', 'set', ...english, '--text', 'We close at <b>noon</b> today.');
  await beacon.do('alert', 'set', ...adams, ...spanish, '--text', 'Cerramos a mediodía.');
  expect((await notices()).sort()).toEqual([
    'english: We close at <b>noon</b> today.',
    'spanish: Cerramos a mediodía.',
  ]);
  await beacon.do('alert', 'clear', ...adams, ...spanish);
  expect(await notices()).toHaveLength(1);
  await beacon.do('alert', 'clear', ...adams);
  expect(await notices()).toEqual([]);
  for (const given of [[], ['--text', 'x', '--file', 'y'], ['--text', '<script>x</script>']])
    expect((await beacon.run('alert', 'set', ...english, ...given)).code).toBeGreaterThan(0);
  expect(await notices()).toEqual([]);
});

const smsAccepted = (text: string) => ['sms.accepted', `{{office}}: {{name}}, ${text}`];

test.each([
  [smsAccepted('your ballot was accepted. {{url}}'), 'Keep STOP, which voters answer with.'],
  [
    smsAccepted('your ballot was accepted. STOP to end'),
    'Keep the words in double braces as they are in English: missing: url',
  ],
  [smsAccepted('accepted or denied? {{url}} STOP to end'), '“denied” is a word of messages'],
  [smsAccepted('your ballot was received. {{url}} STOP to end'), 'are three events'],
  [
    smsAccepted(`accepted. ${'Thank you! '.repeat(40)}{{url}} STOP to end`),
    'parts, and 2 is the most',
  ],
  [['mail.rejected.subject', 'Your ballot was accepted'], 'Keep one of these words:'],
])(
  'a message worded by a command keeps its meaning, as at the console: %j',
  async (words, problem) => {
    const messages = [...english, '--section', 'messages'];
    const refused = await beacon.run('translation', 'set', ...words, ...messages);
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(problem),
    });
  },
);

test('a message in an office’s own words is stored, and one whose text is gone from the product can be reset', async () => {
  const messages = [...english, '--section', 'messages'];
  const [key = '', body = ''] = smsAccepted(
    'we accepted your absentee ballot. {{url}} STOP to end',
  );
  await beacon.do('translation', 'set', key, body, ...messages);
  expect(await beacon.do('translation', 'list', ...adams)).toContain(body);
  await beacon.do('translation', 'set', key, ...messages, '--default');
  await beacon.do('translation', 'set', 'sms.from-an-earlier-version', ...messages, '--default');
  const empty = ['translation', 'set', 'profile.countyInfo.html', '<script>x()</script>'];
  expect(await beacon.run(...empty, ...english)).toMatchObject({
    code: 1,
    stderr: 'Type a text that voters can read.\n',
  });
});

test.each([
  [
    'email',
    'welcome news-waiting change registered correction contact-code fix-reminder stopped-mail',
  ],
  ['sms', 'opt-in confirmed stopped help change correction contact-code fix-reminder stopped-mail'],
  ['voice', 'change registered correction contact-code fix-reminder stopped-mail'],
])('an office previews what goes by %s, whatever it is about', async (channel, others) => {
  const { stdout } = await beacon.run(
    ...['message', 'preview', ...adams, '--language', 'english', '--channel', channel],
  );
  const about = [...stdout.matchAll(/^── (\S+) · /gm)].map(([, one]) => one);
  expect(about).toEqual([...ballotStatuses, ...others.split(' ')]);
});

test('an office previews its messages, and hears of each whose placeholder would be empty', async () => {
  const preview = (...more: string[]) => beacon.run('message', 'preview', ...adams, ...more);
  // The office has no phone, and some of its texts name one.
  const texts = await preview('--language', 'spanish', '--channel', 'sms');
  expect(texts).toMatchObject({ code: 1, stderr: expect.stringContaining('empty placeholders') });
  expect(texts.stdout).toContain('── rejected · sms · spanish, 2 × GSM-7, MISSING {{phone}}\n');
  expect(texts.stdout).toContain('── counted · sms · spanish, 1 × GSM-7\nAdams County: Josephine');
  const one = await preview('--language', 'english', '--channel', 'sms', '--about', 'sent');
  expect(one).toMatchObject({ code: 0, stderr: '' });
  expect(one.stdout).toMatch(/^── sent · sms · english, 1 × GSM-7\nAdams County: .+\n$/);
  const mail = await preview('--language', 'english', '--channel', 'email', '--about', 'sent');
  expect(mail.stdout).toMatch(
    /^── sent · email · english[^\n]*\nSubject: .+\n\nHello Josephine,\n/,
  );
  expect(await preview('--about', 'nothing')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No message matches these options. Leave out an option to see more.\n',
  });
});
