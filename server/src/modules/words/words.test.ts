import { fileURLToPath } from 'node:url';
import type { TextAnswer, TextsAnswer, Words } from '@ballot-beacon/contract/office/words';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';
import { ensurePageIsBuilt } from '../../platform/page-build.ts';
import { addReleaseNote } from '../content/index.ts';
import { changeText, toWords } from './index.ts';

const dist = fileURLToPath(new URL('../../../../web/dist', import.meta.url));
const host = 'adams.localhost';
let api: TestApi;
let adams: AccountId;
let editor: TestPerson;
let colleague: TestPerson;

beforeAll(async () => {
  await ensurePageIsBuilt();
  api = await createTestApi({ pageDirectory: dist });
  adams = await addOffice(api.test, { subdomain: 'adams' });
  await addOffice(api.test, { subdomain: 'lake' });
  const office = { accountId: adams, host };
  editor = await addPerson(api, office, 'Edda Moss', ['editor']);
  colleague = await addPerson(api, office, 'Cole Reed', ['editor']);
}, 180_000);
afterAll(() => api.close());
beforeEach(async () => {
  for (const person of [editor, colleague]) await person.signIn();
  await api.query('delete from text_drafts');
  for (const text of ['alert', 'faq', 'no-ballot', 'main:login.hero.title'])
    for (const language of ['english', 'spanish'] as const) await byCommand(text, null, language);
  await api.query('delete from text_versions');
});

/** As a command changes a text. */
function byCommand(text: string, words: Words | null, language: 'english' | 'spanish' = 'english') {
  const by = { accountId: adams, actor: 'operator:Dana', now: api.clock.now() } as const;
  return api.test.database.transaction((tx) => changeText(tx, by, { text, language }, words));
}

const read = async (text: string, language = 'english', by = editor) =>
  (
    await by.browser.get(`/api/office/text?text=${encodeURIComponent(text)}&language=${language}`)
  ).json<TextAnswer>();
const save = (text: string, body: string, more: object = {}) =>
  editor.browser.post('/api/office/text/draft', {
    ...{ text, language: 'english', words: { title: '', body }, version: null, ...more },
  });
const versionOf = async (text: string) => (await read(text)).draft?.version ?? 0;
/** @param older how many saves before the last one */
const decide = async (
  what: 'publication' | 'draft/discard',
  text: string,
  { by = editor, older = 0 }: { by?: TestPerson; older?: number } = {},
) => {
  const version = (await versionOf(text)) - older;
  return by.browser.post(`/api/office/text/${what}`, { text, language: 'english', version });
};
const undo = (text: string, version: number | undefined) =>
  editor.browser.post('/api/office/text/undo', {
    ...{ text, language: 'english', version_id: version },
  });

/** All that a visitor's browser gets. */
async function visit(): Promise<string> {
  const urls = ['/voter', '/voter/faq', '/api/voter/faq?language=english'];
  const texts = '/api/voter/language-file?section=main&language=en_US';
  const answers = await Promise.all(
    [...urls, texts, '/api/voter/no-ballot-status/english'].map((url) =>
      api.browser(host).get(url),
    ),
  );
  return answers.map(({ body }) => body).join('\n');
}

describe('a draft', () => {
  test.each(['alert', 'faq', 'no-ballot', 'main:login.hero.title'])(
    'of %s is in its preview and reaches no voter before it is published',
    async (text) => {
      const secret = `Unpublished ${Math.random()}`;
      const words = { title: text === 'no-ballot' ? 'Soon' : '', body: secret };
      expect((await save(text, secret, { words })).statusCode).toBe(200);
      const screen = { 'no-ballot': 'dashboard', faq: 'faq' }[text] ?? 'login';
      const url = `/api/office/text/preview.html?text=${text}&language=english&screen=${screen}`;
      const preview = await editor.browser.get(url);
      expect(preview.body).toContain(secret);
      expect(preview.body).not.toMatch(/<script|modulepreload/);
      expect(preview.headers['content-security-policy']).toMatch(
        /default-src 'none'.*frame-ancestors 'self'.*sandbox allow-same-origin$/,
      );
      expect(preview.headers['cache-control']).toBe('no-store');
      expect(await visit()).not.toContain(secret);
      expect((await decide('publication', text)).statusCode).toBe(204);
      expect(await visit()).toContain(secret);
      expect((await read(text)).draft).toBeNull();
    },
  );

  test('cannot be read by the database login of voters’ requests', async () => {
    await save('alert', '<p>Soon</p>');
    for (const table of ['text_drafts', 'text_versions'])
      await expect(api.queryAs(adams, `select from ${table}`)).rejects.toThrow('permission denied');
  });

  test('loses what pages may not contain, by name', async () => {
    const saved = await save('alert', '<p onclick="x()">Closed<script>x()</script></p>');
    expect(saved.json()).toEqual({
      version: expect.any(Number),
      dropped: ['<script> with its content', 'onclick of <p>'],
    });
    expect((await read('alert')).draft?.words?.body).toBe('<p>Closed</p>');
  });

  test('that somebody else saved meanwhile is neither overwritten nor published', async () => {
    const { version } = (await save('alert', '<p>One</p>')).json<{ version: number }>();
    expect((await save('alert', '<p>Two</p>')).statusCode).toBe(409);
    expect((await save('alert', '<p>Two</p>', { version })).json()).toMatchObject({
      version: version + 1,
    });
    expect((await save('alert', '<p>Three</p>', { version })).statusCode).toBe(409);
    expect((await decide('publication', 'alert', { older: 1 })).statusCode).toBe(409);
    expect((await decide('draft/discard', 'alert', { older: 1 })).statusCode).toBe(409);
    expect((await read('alert')).draft?.words?.body).toBe('<p>Two</p>');
    expect((await decide('draft/discard', 'alert')).statusCode).toBe(204);
    expect((await read('alert')).draft).toBeNull();
  });

  test.each(['draft/discard', 'publication'] as const)(
    'of another text or language stays a draft at a %s',
    async (what) => {
      await save('faq', '<p>Why?</p>');
      await save('alert', '<p>Cerrado</p>', { language: 'spanish' });
      await save('alert', '<p>Closed</p>');
      expect((await decide(what, 'alert')).statusCode).toBe(204);
      expect((await read('faq')).draft?.words?.body).toBe('<p>Why?</p>');
      expect((await read('alert', 'spanish')).draft?.words?.body).toBe('<p>Cerrado</p>');
      const shown = await visit();
      const isShown = ['Closed', 'Why?', 'Cerrado'].map((word) => shown.includes(`<p>${word}`));
      expect(isShown).toEqual([what === 'publication', false, false]);
    },
  );

  test.each(['messages:mail.rejected.subject', 'main:status.rejected.description'])(
    'of %s, which says what became of a ballot, is published by another person than its author',
    async (text) => {
      const { body } = (await read(text)).product;
      await save(text, `${body} Today.`);
      expect((await read(text)).draft).toMatchObject({ can_publish: false });
      expect((await decide('publication', text)).statusCode).toBe(409);
      expect((await read(text)).own).toBeNull();
      expect((await read(text, 'english', colleague)).draft).toMatchObject({ can_publish: true });
      expect((await decide('publication', text, { by: colleague })).statusCode).toBe(204);
      expect((await read(text)).own?.body).toBe(`${body} Today.`);
      await byCommand(text, null);
    },
  );

  test('is published, and undone, after a sign-in of the last five minutes alone', async () => {
    await save('alert', '<p>Closed</p>');
    api.clock.advance(5 * 60_000);
    const late = { status: 403, 'error-code': 7001 };
    expect((await decide('publication', 'alert')).json()).toMatchObject(late);
    expect(await visit()).not.toContain('Closed');
    await editor.signIn();
    expect((await decide('publication', 'alert')).statusCode).toBe(204);
    const [last] = (await read('alert')).history;
    api.clock.advance(5 * 60_000);
    expect((await undo('alert', last?.version_id)).json()).toMatchObject(late);
    expect(await visit()).toContain('Closed');
  });

  test('keeps the rules of the commands: placeholders, a heading, words to read', async () => {
    const title = 'main:login.hero.title';
    expect((await save(title, 'Hello {{secret}}')).json()).toMatchObject({
      validation_messages: { body: { invalid: expect.stringContaining('{{secret}}') } },
    });
    expect((await save('no-ballot', 'None')).statusCode).toBe(422);
    expect((await save('alert', '<script>x</script>')).statusCode).toBe(422);
    // The second is another name of the alert, under which nobody would find its draft.
    for (const text of ['main:no.such.key', 'main:alert.office.html'])
      expect((await save(text, 'x')).statusCode, text).toBe(404);
  });
});

describe('a text of messages', () => {
  const key = 'messages:sms.sent';
  const text = (more: string) =>
    `{{office}}: {{name}}, your absentee ballot is in the mail.${more} {{url}} STOP to end`;
  const sample = async (language = 'english') =>
    (await editor.browser.get(`/api/office/text/message?text=${key}&language=${language}`)).json();

  test('is looked at as an invented voter would get it, before any voter does', async () => {
    const usual = await sample();
    expect(usual).toMatchObject({ channel: 'sms', segments: 1, most_segments: 2 });
    expect((await save(key, text(''))).statusCode).toBe(200);
    const { body } = await sample();
    expect(body).toContain('Josephine, your absentee ballot is in the mail.');
    expect(body).toContain('STOP to end');
    expect((await decide('publication', key)).statusCode).toBe(409);
    expect((await decide('publication', key, { by: colleague })).statusCode).toBe(204);
    expect((await sample()).body).toBe(body);
    // A draft that gives the office's words up shows the usual ones.
    expect((await save(key, '', { words: null })).statusCode).toBe(200);
    expect((await sample()).body).toBe(usual.body);
    expect((await decide('draft/discard', key)).statusCode).toBe(204);
    await byCommand(key, null);
  });

  test('has at most two parts, or as many as the usual words', async () => {
    await save(key, text(''));
    const { body } = await sample();
    const room = 2 * 153 - body.length;
    const of = (more: number) => text(` ${'x'.repeat(more - 1)}`);
    const version = await versionOf(key);
    expect((await save(key, of(room - 1), { version })).statusCode).toBe(200);
    expect((await save(key, of(room), { version: version + 1 })).statusCode).toBe(200);
    expect(await sample()).toMatchObject({ segments: 2 });
    expect((await save(key, of(room + 1), { version: version + 2 })).json()).toMatchObject({
      validation_messages: { body: { invalid: expect.stringContaining('in 3 parts, and 2') } },
    });
    expect(await sample('arabic')).toMatchObject({ segments: 3, most_segments: 3 });
  });

  test('keeps what it is about, and its way out', async () => {
    for (const [no, reason] of [
      [text('').replace('STOP to end', ''), 'Keep STOP'],
      [text(' Action needed!'), '“action”'],
    ] as const)
      expect((await save(key, no)).json()).toMatchObject({
        validation_messages: { body: { invalid: expect.stringContaining(reason) } },
      });
    expect((await read(key)).draft).toBeNull();
  });

  test('is listed by its channel, text messages with their parts', async () => {
    const list = async (channel: string) =>
      (
        await editor.browser.get(`/api/office/texts?language=english&channel=${channel}`)
      ).json<TextsAnswer>().texts;
    const texts = await list('sms');
    expect(texts.find(({ text: one }) => one === key)).toMatchObject({ segments: 1 });
    for (const [channel, prefix] of [
      ['sms', 'messages:sms.'],
      ['email', 'messages:mail.'],
      ['voice', 'messages:voice.'],
    ] as const) {
      const listed = await list(channel);
      expect(listed.length).toBeGreaterThan(20);
      expect(listed.filter(({ text: one }) => !one.startsWith(prefix))).toEqual([]);
    }
  });

  test('that no message to an invented voter contains has no sample', async () => {
    const url = '/api/office/text/message?language=english&text=';
    for (const text of ['messages:voice.unknown', 'main:login.hero.title', 'faq'])
      expect((await editor.browser.get(url + text)).statusCode, text).toBe(404);
  });
});

describe('what was published', () => {
  test('is undone at once, also after a command, and the log and the history name everybody', async () => {
    await byCommand('faq', toWords('<p>By command</p>'));
    await save('faq', '<p>At the console</p>');
    await decide('publication', 'faq');
    // Where the office has no words in a language, voters read its English ones, and so does the preview.
    const inSpanish = '/api/office/text/preview.html?text=faq&language=spanish&screen=faq';
    expect((await editor.browser.get(inSpanish)).body).toContain('At the console');
    // Another text and another language have histories of their own.
    await byCommand('alert', toWords('<p>Elsewhere</p>'));
    await byCommand('faq', toWords('<p>En español</p>'), 'spanish');
    // A draft that takes them back leaves the English ones.
    await save('faq', '', { language: 'spanish', words: null });
    expect((await editor.browser.get(inSpanish)).body).toContain('At the console');
    const { history } = await read('faq');
    expect(history.map(({ who, from, to }) => [who, from?.body, to?.body])).toEqual([
      ['Edda Moss', '<p>By command</p>', '<p>At the console</p>'],
      ['Dana', undefined, '<p>By command</p>'],
    ]);
    expect((await undo('faq', history[1]?.version_id)).statusCode).toBe(409);
    expect((await undo('faq', history[0]?.version_id)).statusCode).toBe(204);
    expect(await visit()).toContain('By command');
    expect(await visit()).not.toContain('At the console');
    await save('faq', '', { words: null });
    await decide('publication', 'faq');
    expect((await read('faq')).own).toBeNull();
    expect(await visit()).not.toContain('By command');
  });

  test('is reviewed by another person than its author', async () => {
    await save('alert', '<p>Closed</p>');
    await decide('publication', 'alert');
    const [mine] = (await read('alert')).history;
    expect(mine).toMatchObject({ can_review: false, reviewed_by: null });
    const review = (by: TestPerson) =>
      by.browser.post(`/api/office/text/versions/${mine?.version_id}/review`, {});
    expect((await review(editor)).statusCode).toBe(409);
    expect((await review(colleague)).statusCode).toBe(204);
    const { history, translations } = await read('alert');
    expect(history[0]).toMatchObject({ reviewed_by: 'Cole Reed' });
    expect(translations).toContainEqual({ language: 'english', state: 'reviewed' });
  });

  test('has a draft in the language of the draft alone', async () => {
    await save('faq', '<p>Soon</p>');
    const drafted = async (language: string) =>
      (await editor.browser.get(`/api/office/texts?language=${language}`))
        .json<TextsAnswer>()
        .texts.find(({ text }) => text === 'faq')?.has_draft;
    expect([await drafted('english'), await drafted('spanish')]).toEqual([true, false]);
  });

  test('in another language is missing, own, or older than the English', async () => {
    const states = async () => {
      const listed = await editor.browser.get('/api/office/texts?language=spanish');
      return listed.json<TextsAnswer>().texts.find(({ text }) => text === 'faq')?.state;
    };
    expect(await states()).toBe('product');
    await byCommand('faq', toWords('<p>One</p>'));
    expect(await states()).toBe('missing');
    await byCommand('faq', toWords('<p>Uno</p>'), 'spanish');
    expect(await states()).toBe('own');
    await byCommand('faq', toWords('<p>Two</p>'));
    expect(await states()).toBe('outdated');
  });

  test('of release notes can be removed, one at a time', async () => {
    for (const note of ['<p>New: texts</p>', '<p>New: reminders</p>']) {
      await save('release-note', note);
      await decide('publication', 'release-note');
    }
    const { notes, draft } = await read('release-note');
    expect(notes.map(({ html }: { html: string }) => html)).toEqual([
      '<p>New: reminders</p>',
      '<p>New: texts</p>',
    ]);
    expect(draft).toBeNull();
    const url = `/api/office/release-notes/${notes[0]?.release_note_id}`;
    expect((await editor.browser.delete(url)).statusCode).toBe(204);
    expect((await editor.browser.delete(url)).statusCode).toBe(404);
    const removed = `select from audit_log where action = 'release-note.remove' and target = $1`;
    expect(await api.query(removed, [url.split('/').at(-1)])).toHaveLength(1);
    expect((await read('release-note')).notes).toEqual(notes.slice(1));
  });
});

test('texts are found by their words and by their key', async () => {
  const find = async (search: string) =>
    (
      await editor.browser.get(
        `/api/office/texts?language=english&search=${encodeURIComponent(search)}`,
      )
    ).json<TextsAnswer>();
  await byCommand('main:login.hero.title', toWords('Find your envelope'));
  expect((await find('your ENVELOPE')).texts).toContainEqual({
    ...{
      text: 'main:login.hero.title',
      beginning: 'Find your envelope',
      state: 'own',
      has_draft: false,
      segments: null,
    },
  });
  expect((await find('login.hero.title')).texts.map(({ text }) => text)).toContain(
    'main:login.hero.title',
  );
  const many = await find('e');
  expect([many.texts.length, many.has_more]).toEqual([100, true]);
  expect((await find('nobody wrote this')).texts).toEqual([]);
});

test.each([160, 161])('of a text of %i characters a list shows the first 160', async (length) => {
  const body = 'e'.repeat(length);
  await byCommand('main:login.hero.title', toWords(body));
  const url = '/api/office/texts?language=english';
  const { texts } = (await editor.browser.get(url)).json<TextsAnswer>();
  const shown = texts.find(({ text }) => text === 'main:login.hero.title');
  expect(shown?.beginning).toBe(length > 160 ? `${body.slice(0, 160)}…` : body);
});

test('of a text the last 20 versions are listed, and of the notes the last 20', async () => {
  for (let number = 1; number <= 21; number += 1) {
    await byCommand('alert', toWords(`Alert ${number}`));
    const publishedAt = new Date(Date.UTC(2030, 0, number));
    await addReleaseNote(api.test.database.system, adams, { html: `Note ${number}`, publishedAt });
  }
  const { history } = await read('alert');
  expect(history.map(({ to }) => to?.body)).toEqual(
    Array.from({ length: 20 }, (_, at) => `Alert ${21 - at}`),
  );
  const { notes } = await read('release-note');
  expect(notes.map(({ html }) => html)).toEqual(
    Array.from({ length: 20 }, (_, at) => `Note ${21 - at}`),
  );
});
