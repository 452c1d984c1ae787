import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { permissionsOf, type Role } from '@ballot-beacon/contract/office/roles';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Answers, session, showScreen } from '../shell/show-screen.tsx';
import type * as Whole from './app.tsx';
import type * as Login from './command-login.tsx';
import type * as Pages from './screens.tsx';

let whole: typeof Whole;
let login: typeof Login;
let pages: typeof Pages;
beforeAll(async () => {
  vi.stubGlobal('addEventListener', () => {});
  whole = await import('./app.tsx');
  login = await import('./command-login.tsx');
  pages = await import('./screens.tsx');
  vi.unstubAllGlobals();
}, 60_000);
beforeEach(() => beAt('/office/'));
afterEach(() => vi.unstubAllGlobals());

function beAt(pathname: string, hash = ''): void {
  vi.stubGlobal('location', { pathname, hash, search: '' });
}
const getOfficeOptions = { office: 'Adams Elections', provider: null };
const show = (answers: Answers) => {
  const { App } = whole;
  return showScreen(<App />, { getOfficeOptions, ...answers }, { isWhole: true });
};

test('a person who is not signed in is at the door, and where the server fails that is said', async () => {
  const door = await show({ getOfficeSession: 401 });
  expect(door.html).toContain('<h1>Sign in</h1>');
  expect(door.words).toContain('Adams Elections');
  for (const answers of [
    { getOfficeSession: 503 },
    { getOfficeSession: 401, getOfficeOptions: 503 },
  ]) {
    const failed = await show(answers);
    expect(failed.html).toContain('<h1>This could not be loaded</h1>');
    expect(failed.words).toContain('The server cannot answer now.');
  }
});

test('an invitation names the office, the person and every role', async () => {
  const token = 'a'.repeat(43);
  beAt('/office/invitation', `#${token}`);
  const invitation = {
    ...{ office: 'Adams Elections', name: 'Nell Fox', ends_at: '2026-11-23T05:30:00Z' },
    roles: ['clerk', 'editor'] as Role[],
  };
  const invited = await show({ getOfficeSession: 401, readInvitation: invitation });
  expect(invited.html).toContain('<h1>Join Adams Elections</h1>');
  expect(invited.words).toContain('Nell Fox, you are invited as: Clerk, Editor.');
  const late = await show({ getOfficeSession: 401, readInvitation: 503 });
  expect(late.words).toContain('The server cannot answer now.');
  expect(late.html).not.toContain('Create a passkey');

  beAt('/office/invitation', `#${token.slice(1)}`);
  const cut = await show({ getOfficeSession: 401 });
  expect(cut.words).toContain('This link is incomplete.');
  expect(cut.asked).not.toContain('POST /api/office/invitation');
});

test('a command is signed in as the person who is named, by the code of its hash', async () => {
  const { CommandLogin } = login;
  beAt('/office/command-login', `#${'0f1e2d3c'.repeat(8)}`);
  const whose = await showScreen(<CommandLogin />);
  expect(whose.words).toContain('A terminal asks to decide on files as Ina Wolf.');
  expect(whose.words).toContain('0F1E-2D3C');
  beAt('/office/command-login', '#0f1e2d3c');
  const cut = await showScreen(<CommandLogin />);
  expect(cut.words).toContain('This link is not complete.');
  expect(cut.html).not.toContain('<button');
});

const open = (at: string, permissions: OfficeSession['permissions'], answers: Answers = {}) => {
  const { Screens } = pages;
  const of = { ...session, permissions };
  return showScreen(<Screens session={of} onSignedOut={() => {}} />, answers, { at, permissions });
};
const isRefused = ({ html }: { readonly html: string }) =>
  html.includes('<h1>Your roles do not allow this</h1>');

test.each<[Role, string[]]>([
  ['viewer', ['Today', 'Envelopes to fix', 'Reports']],
  ['clerk', ['Today', 'Envelopes to fix', 'Find a voter', 'Messages', 'Reports']],
  [
    'confidential-clerk',
    ['Today', 'Envelopes to fix', 'Find a voter', 'Messages', 'Reports', 'QR codes'],
  ],
  ['importer', ['Today', 'Files', 'Envelopes to fix', 'Reports', 'QR codes']],
  ['releaser', ['Today', 'Files', 'Envelopes to fix', 'Reports']],
  ['editor', ['Today', 'Envelopes to fix', 'Reports', 'Words and pages', 'Look and notice']],
  [
    'admin',
    [
      ...['Today', 'Envelopes to fix', 'Reports', 'People', 'Elections', 'Switches'],
      ...['Settings', 'Misuse', 'Log'],
    ],
  ],
])('the menu of a %s has: %j', async (role, names) => {
  const { html } = await open('/nowhere', permissionsOf([role]));
  const menu = /<nav.*?<\/nav>/s.exec(html)?.[0] ?? '';
  expect([...menu.matchAll(/<a [^>]*>([^<]*)/g)].map(([, name]) => name)).toEqual(names);
});

test.each<[string, OfficeSession['permissions'][number]]>([
  ['/files', 'files'],
  ['/files/12', 'files'],
  ['/files/uploads/7', 'files'],
  ['/voters', 'voters'],
  ['/voters/5', 'voters'],
  ['/messages', 'voters'],
  ['/messages/31', 'voters'],
  ['/ballots?election=217', 'voters'],
  ['/texts', 'words'],
  ['/texts/faq/english', 'words'],
  ['/look', 'words'],
  ['/codes', 'codes'],
  ['/people', 'people'],
  ['/elections', 'settings'],
  ['/elections/7', 'settings'],
  ['/elections/deadlines/7', 'settings'],
  ['/flags', 'settings'],
  ['/settings/messages', 'settings'],
  ['/settings/usps-scans', 'settings'],
  ['/misuse', 'settings'],
  ['/log', 'log'],
])('%s is closed to who may not %s, and asks the server for nothing', async (at, needs) => {
  const others = permissionsOf([
    'viewer',
    'clerk',
    'confidential-clerk',
    'importer',
    'editor',
    'admin',
  ]);
  const closed = await open(
    at,
    others.filter((one) => one !== needs && one !== 'confidential'),
  );
  expect(isRefused(closed)).toBe(true);
  expect(closed.asked).toEqual([]);
});

test('a page belongs to its entry of the menu, also where one of it is open', async () => {
  const currentAt = async (at: string, permissions: OfficeSession['permissions']) =>
    /aria-current="page"[^>]*>([^<]*)/.exec(
      (await open(at, permissions, { getOfficeOptions })).html,
    )?.[1];
  expect(await currentAt('/voters/5', ['counts', 'voters'])).toBe('Find a voter');
  expect(await currentAt('/settings/usps-scans', ['counts', 'settings'])).toBe('Settings');
  expect(await currentAt('/nowhere', ['counts'])).toBeUndefined();
  expect((await open('/nowhere', ['counts'])).html).toContain('<h1>Page not found</h1>');
  expect((await open('/filesystem', ['counts'])).html).toContain('<h1>Page not found</h1>');
});
