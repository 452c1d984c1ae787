import type { MessageSample, TextAnswer, TextsAnswer } from '@ballot-beacon/contract/office/words';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answers, showScreen } from '../../shell/show-screen.tsx';
import { TextsScreen } from './index.tsx';
import { TextScreen } from './text.tsx';

const usual = { title: '', body: 'The usual words.' };
const draft = {
  ...{ words: { title: '', body: 'The draft.' }, version: 3, who: 'Edda Moss' },
  ...{ at: '2026-11-20T05:30:00Z', can_publish: true },
};
const text: TextAnswer = {
  ...{ form: 'plain', product: usual, english: { title: '', body: 'In plain English.' } },
  ...{ own: null, draft: null, translations: [], history: [], notes: [] },
};
const sms: MessageSample = {
  ...{ channel: 'sms', subject: null, body: 'Ann, your ballot is in the mail.' },
  ...{ segments: 1, most_segments: 2 },
};
const show = (
  more: Partial<TextAnswer> = {},
  {
    name = 'main:outage.text',
    language = 'english',
    typed = null as object | null,
    ...answers
  }: {
    name?: string;
    language?: string;
    typed?: object | null;
  } & Answers = {},
) =>
  showScreen(
    <TextScreen text={name} language={language} />,
    { getText: { ...text, ...more }, ...answers },
    { typed: [[['text', name, language], typed]] },
  );
const bodyOf = (html: string) => /<textarea[^>]*id="text-body"[^>]*>([^<]*)/.exec(html)?.[1];

afterEach(() => vi.unstubAllGlobals());

test.each<[string, Partial<TextAnswer>, object | null, string]>([
  ['the usual words', {}, null, 'The usual words.'],
  ['the office’s own', { own: { title: '', body: 'Ours.' } }, null, 'Ours.'],
  ['the draft over those', { own: { title: '', body: 'Ours.' }, draft }, null, 'The draft.'],
  ['what is typed over all', { draft }, { base: 3, title: '', body: 'Typed.' }, 'Typed.'],
])('the editor has %s', async (_what, more, typed, body) => {
  expect(bodyOf((await show(more, { typed })).html)).toBe(body);
});

test.each<[string, Partial<TextAnswer>, object | null, string[], string]>([
  ['no draft', {}, null, ['Save the draft'], 'No draft. Voters read what is below.'],
  [
    'a draft',
    { draft },
    null,
    ['Save the draft', 'Publish', 'Discard the draft'],
    'Saved by Edda Moss, Nov 19, 2026, 7:30 PM. Voters do not see it yet.',
  ],
  [
    'a draft that somebody types over',
    { draft },
    { base: 3, title: '', body: 'Typed.' },
    ['Save the draft', 'Discard the draft'],
    'Save the draft to see what you typed.',
  ],
  [
    'a draft that another editor must publish',
    { draft: { ...draft, can_publish: false } },
    null,
    ['Save the draft', 'Discard the draft'],
    'Another editor must look at this draft',
  ],
  [
    'a draft of going back to the usual words',
    { draft: { ...draft, words: null }, own: { title: '', body: 'Ours.' } },
    null,
    ['Save the draft', 'Publish', 'Discard the draft', 'Use the usual words'],
    'This draft goes back to the usual words.',
  ],
])('of %s is offered what can be done with it', async (_what, more, typed, offered, said) => {
  const { html, words } = await show(more, { typed });
  const form = /<form.*?<\/form>/s.exec(html)?.[0] ?? '';
  const buttons = [...form.matchAll(/<button[^>]*>(.*?)<\/button>/gs)].map(([, name = '']) =>
    name.replaceAll(/<[^>]*>/g, ''),
  );
  expect(buttons).toEqual(offered);
  expect(words).toContain(said);
  expect(words.includes('Another editor must look')).toBe(said.startsWith('Another editor'));
  // The page beside it shows what is saved.
  expect(words.includes('Save the draft to see what you typed.')).toBe(typed !== null);
});

test('a translation is written beside the English, and from right to left where its language is', async () => {
  const arabic = await show({}, { language: 'arabic' });
  expect(arabic.words).toContain('In plain English.');
  expect(arabic.html).toMatch(/<textarea[^>]*lang="ar-SA" dir="rtl"/);
  const english = await show();
  expect(english.words).not.toContain('In plain English.');
  expect(english.html).toMatch(/<textarea[^>]*lang="en-US" dir="ltr"/);
});

test.each([
  ['faq', 'faq'],
  ['no-ballot', 'dashboard'],
  ['county-information', 'dashboard'],
  ['alert', 'login'],
  ['main:outage.text', 'login'],
])('the text %s is first looked at on the page: %s', async (name, screen) => {
  const { html } = await show({}, { name });
  expect(/<option value="(\w+)" selected=""/.exec(html)?.[1]).toBe(screen);
  expect(html).toContain(`&amp;screen=${screen}"`);
});

test('a text of messages is looked at as a message, with its parts', async () => {
  const name = 'messages:sms.sent';
  const { words, html } = await show({}, { name, sampleMessage: sms });
  expect(words).toContain('Text message : sent in 1 part, of 2 at most');
  expect(words).toContain('Ann, your ballot is in the mail.');
  expect(html).not.toContain('<iframe');
  const email: MessageSample = {
    ...sms,
    ...{ channel: 'email', subject: 'News', segments: null, most_segments: null },
  };
  const mail = await show({}, { name, sampleMessage: email });
  expect(mail.words).toContain('Email News Ann');
  expect(mail.words).not.toContain('sent in');
});

test('the other languages of a text lead to it there, with what is true of it', async () => {
  const two = [
    { language: 'english', state: 'own' },
    { language: 'spanish', state: 'outdated' },
  ] as const;
  const { links, words } = await show({ translations: [...two] });
  expect(words).toContain('English Your words Spanish Older than your English');
  expect(links).toMatchObject({ Spanish: '/office/texts/main:outage.text/spanish' });
  expect(links).not.toHaveProperty('English');
  expect((await show({ translations: two.slice(0, 1) })).words).not.toContain('Languages');
});

test('the history says who changed what, and asks for a review of nobody’s own change', async () => {
  // As a browser reads HTML.
  vi.stubGlobal(
    'DOMParser',
    class {
      parseFromString = (html: string) => ({
        body: { textContent: html.replaceAll(/<[^>]*>/g, '') },
      });
    },
  );
  const version = {
    ...{ version_id: 4, at: '2026-11-20T05:30:00Z', who: 'Edda Moss', from: null },
    to: { title: '', body: '<p>Ours.</p>' },
  };
  const { rows, html } = await show({
    history: [
      { ...version, reviewed_by: null, can_review: true },
      { ...version, version_id: 3, who: 'Cole Reed', reviewed_by: null, can_review: false },
      { ...version, version_id: 2, reviewed_by: 'Cole Reed', can_review: true },
    ],
  });
  const at = 'Nov 19, 2026, 7:30 PM';
  expect(rows.slice(1)).toEqual([
    [at, 'Edda Moss', 'the usual words → Ours. Use again', 'I have reviewed it'],
    [at, 'Cole Reed', 'the usual words → Ours. Use again', 'Not reviewed'],
    [at, 'Edda Moss', 'the usual words → Ours. Use again', 'Reviewed by Cole Reed'],
  ]);
  expect(html).toContain('Undo the last change');
  expect((await show()).words).toContain('Nobody has changed this text yet.');
});

const found: TextsAnswer = {
  languages: ['english', 'spanish'],
  texts: [
    { text: 'faq', beginning: '', state: 'own', has_draft: true, segments: null },
    {
      ...{ text: 'messages:sms.sent', beginning: 'Your ballot', state: 'missing' },
      ...{ has_draft: false, segments: 2 },
    },
  ],
  has_more: false,
};
test.each([
  ['', 'language=english'],
  ['?language=spanish&search=ballot&channel=sms', 'language=spanish&search=ballot&channel=sms'],
  ['?language=klingon', 'language=english'],
])('at %j the texts are asked for by %s', async (search, query) => {
  const { asked, rows, words, links } = await showScreen(
    <TextsScreen />,
    { listTexts: found },
    { at: `/texts${search}` },
  );
  const language = search.includes('spanish') ? 'spanish' : 'english';
  expect(asked).toEqual([`GET /api/office/texts?${query}`]);
  const parts = query.includes('sms') ? ['', '2'] : undefined;
  expect(rows.slice(1)).toEqual([
    ['Questions and answers', 'Nothing', ...(parts?.slice(0, 1) ?? []), 'Your words Draft'],
    ['sms.sent', 'Your ballot', ...(parts?.slice(1) ?? []), 'Not translated yet'],
  ]);
  expect(links['sms.sent']).toBe(`/office/texts/messages:sms.sent/${language}`);
  expect(words.includes('Translators’ files: Spanish')).toBe(language === 'spanish');
  expect(words.includes('Translators’ files')).toBe(language === 'spanish');
});
