import { mostTranslationBytes } from '@ballot-beacon/contract/office/translations';
import type { TextAnswer } from '@ballot-beacon/contract/office/words';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';
import { changeText, toWords } from './index.ts';

const host = 'adams.localhost';
const faq = '<details><summary>Where?</summary><p>At <a href="/voter">home</a>.</p></details>';
const hero = 'main:login.hero.title';
let api: TestApi;
let adams: AccountId;
let editor: TestPerson;

beforeEach(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams', languages: ['english', 'spanish'] });
  editor = await addPerson(api, { accountId: adams, host }, 'Edda Moss', ['editor']);
});
afterEach(() => api.close());
beforeEach(async () => {
  await editor.signIn();
  for (const table of [
    'text_drafts',
    'text_versions',
    'office_pages',
    'no_ballot_messages',
    'translation_overrides',
  ])
    await api.query(`delete from ${table}`);
});

/** What the office wrote, as a command publishes it. */
function publish(text: string, body: string, more: object = {}) {
  const by = { accountId: adams, actor: 'operator:Dana', now: api.clock.now() } as const;
  const { language, title } = { language: 'english' as const, title: '', ...more };
  return api.test.database.transaction((tx) =>
    changeText(tx, by, { text, language }, toWords(body, title)),
  );
}

const download = (language = 'spanish') =>
  editor.browser.get(`/api/office/translations.xlf?language=${language}`);
const bring = (content: string | Buffer) =>
  editor.browser.request({
    method: 'POST',
    url: '/api/office/translations',
    headers: { host, 'content-type': 'application/octet-stream' },
    payload: Buffer.from(content),
  });
const draftOf = async (text: string) => {
  const url = `/api/office/text?language=spanish&text=${encodeURIComponent(text)}`;
  return (await editor.browser.get(url)).json<TextAnswer>().draft?.words ?? null;
};

/** What a translator types into the empty target beside this source. */
function translate(xml: string, english: string, spanish: string): string {
  const unit = new RegExp(
    `(<source>${english}</source>\\s*<target state=")needs-translation">(</target>)`,
  );
  expect(xml).toMatch(unit);
  return xml.replace(unit, `$1translated">${spanish}$2`);
}

describe('the office’s own texts', () => {
  test('go out with the state of each, and the tags of pages protected', async () => {
    await publish('faq', faq);
    await publish('no-ballot', 'Call us.', { title: 'Nothing yet' });
    await publish(hero, 'Find your envelope');
    await publish(hero, 'Encuentre su sobre', { language: 'spanish' });
    await publish('alert', '<p>Cerrado</p>', { language: 'spanish' });
    await publish('alert', '<p>Closed</p>');
    const answer = await download();
    expect(answer.headers).toMatchObject({
      'content-type': 'application/xliff+xml; charset=utf-8',
      'content-disposition': 'attachment; filename="spanish.xlf"',
    });
    const ids = [
      ...answer.body.matchAll(/original="([^"]+)"|trans-unit id="([^"]+)"|state="([^"]+)"/g),
    ];
    expect(ids.map(([, file, unit, state]) => file ?? unit ?? state)).toEqual([
      ...['alert', 'body', 'needs-adaptation'],
      ...['faq', 'body', 'needs-translation'],
      ...['main', 'login.hero.title', 'needs-review-translation'],
      ...['no-ballot', 'title', 'needs-translation', 'body', 'needs-translation'],
    ]);
    expect(answer.body).toContain('<ph id="summary">&lt;summary&gt;</ph>Where?');
  });

  test('come back as drafts that no voter sees, HTML and all, and twice the same changes nothing', async () => {
    await publish('faq', faq);
    await publish('no-ballot', 'Call us.', { title: 'Nothing yet' });
    const { body } = await download();
    const source = /<source>(.*details.*)<\/source>/.exec(body)?.[1] ?? '';
    const translated = translate(
      translate(
        body.replace(
          `<source>${source}</source>\n        <target state="needs-translation">`,
          `<source>${source}</source>\n        <target state="translated">${source.replace('Where?', '¿Dónde?').replace('home', 'casa')}`,
        ),
        'Nothing yet',
        'Nada aún',
      ),
      'Call us.',
      'Llámenos.',
    );
    expect((await bring(translated)).json()).toEqual({
      ...{ language: 'spanish', drafted: ['faq', 'no-ballot'], unchanged: 0 },
      ...{ untranslated: 0, refused: [] },
    });
    expect((await draftOf('faq'))?.body).toBe(
      faq.replace('Where?', '¿Dónde?').replace('home', 'casa'),
    );
    expect(await draftOf('no-ballot')).toEqual({ title: 'Nada aún', body: 'Llámenos.' });
    expect(await api.query('select from office_pages where language = $1', ['spanish'])).toEqual(
      [],
    );
    const [entry] = await api.query(
      `select target, details from audit_log where action = 'translation.import'`,
    );
    expect(entry).toEqual({ target: 'spanish', details: { drafts: 2, refused: 0 } });
    expect((await bring(translated)).json()).toMatchObject({ drafted: [], unchanged: 2 });
  });

  test('of which the heading alone is another come back as a draft', async () => {
    await publish('no-ballot', 'Call us.', { title: 'Nothing yet' });
    await publish('no-ballot', 'Llámenos.', { language: 'spanish', title: 'Nada' });
    const { body } = await download();
    expect((await bring(body)).json()).toMatchObject({ drafted: [], unchanged: 1 });
    const reworded = body.replace('>Nada</target>', '>Nada aún</target>');
    expect((await bring(reworded)).json()).toMatchObject({ drafted: ['no-ballot'], unchanged: 0 });
    expect(await draftOf('no-ballot')).toEqual({ title: 'Nada aún', body: 'Llámenos.' });
  });

  test('that nobody translated stay as they are', async () => {
    await publish('alert', '<p>Closed</p>');
    const { body } = await download();
    expect((await bring(body)).json()).toMatchObject({ untranslated: 1, drafted: [] });
    // Some tools begin with a copy of the English.
    const copied = body.replace(
      '></target>',
      `>${/<source>(.*)<\/source>/.exec(body)?.[1]}</target>`,
    );
    expect((await bring(copied)).json()).toMatchObject({ untranslated: 1, drafted: [] });
    // A translator who approves it says that it is the same in both languages.
    const approved = copied.replace('approved="no"', 'approved="yes"');
    expect((await bring(approved)).json()).toMatchObject({ untranslated: 0, drafted: ['alert'] });
  });

  test('are not to be had before there are any, in English, or in a language of another office', async () => {
    expect((await download()).statusCode).toBe(404);
    // Of which there is no English at all.
    await publish('county-information', '<p>Hola</p>', { language: 'spanish' });
    expect((await download()).statusCode).toBe(404);
    await publish('alert', '<p>Closed</p>');
    for (const language of ['english', 'korean'])
      expect((await download(language)).statusCode, language).toBe(422);
  });
});

describe('a translated text is refused by itself, and why is said,', () => {
  let exported = '';
  beforeEach(async () => {
    await publish('alert', '<p>Closed</p>');
    await publish('main:contactProof.sent', 'We sent {{address}} a code.');
    exported = (await download()).body;
  });
  const only = async (xml: string) => (await bring(xml)).json().refused;

  test('where a placeholder is lost or a tag differs', async () => {
    const source = /<source>(We sent.*)<\/source>/.exec(exported)?.[1] ?? '';
    const placeholderLost = exported.replace(
      `${source}</source>\n        <target state="needs-translation">`,
      `${source}</source>\n        <target state="translated">Enviamos un código.`,
    );
    expect(await only(placeholderLost)).toEqual([
      {
        text: 'main:contactProof.sent',
        reason:
          'Keep the words in double braces as they are in English: missing: address; extra: none',
      },
    ]);
    const tagAdded = exported.replace(
      '<target state="needs-translation"></target>',
      '<target>Cerrado&lt;script&gt;x()&lt;/script&gt;</target>',
    );
    expect(await only(tagAdded)).toEqual([
      { text: 'alert', reason: expect.stringContaining('Keep the HTML tags') },
    ]);
    expect(await draftOf('alert')).toBeNull();
  });

  test('where a text message would have too many parts', async () => {
    const english = 'your absentee ballot is in the mail.';
    await publish('messages:sms.sent', `{{office}}: {{name}}, ${english} {{url}} STOP to end`);
    const { body } = await download();
    const source = /<source>(.*absentee ballot is in.*)<\/source>/.exec(body)?.[1] ?? '';
    const translated = body.replace(
      `${source}</source>\n        <target state="needs-translation">`,
      `${source}</source>\n        <target>${source.replace(english, 'x'.repeat(400))}`,
    );
    expect(await only(translated)).toEqual([
      { text: 'messages:sms.sent', reason: expect.stringContaining('Say it in fewer words.') },
    ]);
    expect(await draftOf('messages:sms.sent')).toBeNull();
  });

  test('where the English changed meanwhile', async () => {
    const done = exported.replace(
      '<target state="needs-translation"></target>',
      '<target><ph id="p">&lt;p&gt;</ph>Cerrado<ph id="p-end">&lt;/p&gt;</ph></target>',
    );
    await publish('alert', '<p>Open again</p>');
    expect(await only(done)).toEqual([
      { text: 'alert', reason: expect.stringMatching(/^Its English changed/) },
    ]);
  });

  test('where the office has no such text, the file has it twice, or a draft waits', async () => {
    const foreign = exported.replace('original="alert"', 'original="county-information"');
    expect(await only(foreign)).toEqual([
      {
        text: 'county-information',
        reason: 'Your office has no English of its own for this text.',
      },
    ]);
    const shipped = exported.replace('id="contactProof.sent"', 'id="login.hero.title"');
    expect(await only(shipped)).toMatchObject([{ text: hero }]);
    const unit = /<trans-unit id="body"[\s\S]*?<\/trans-unit>/.exec(exported)?.[0] ?? '';
    expect(await only(exported.replace(unit, unit + unit))).toEqual([
      { text: 'alert', reason: 'The file contains this text twice.' },
    ]);
    const done = (word: string) =>
      exported.replace(
        '<target state="needs-translation"></target>',
        `<target><ph id="p">&lt;p&gt;</ph>${word}<ph id="p-end">&lt;/p&gt;</ph></target>`,
      );
    expect((await bring(done('Cerrado'))).json().drafted).toEqual(['alert']);
    expect(await only(done('Cerrada'))).toMatchObject([
      { text: 'alert', reason: expect.stringMatching(/^A draft of this text waits/) },
    ]);
    expect((await draftOf('alert'))?.body).toBe('<p>Cerrado</p>');
  });

  test.each([
    [39_993, 1],
    [39_994, 0],
  ])('where it is too long: %i letters make %i drafts', async (letters, drafts) => {
    const done = exported.replace(
      '<target state="needs-translation"></target>',
      `<target>&lt;p&gt;${'a'.repeat(letters)}&lt;/p&gt;</target>`,
    );
    expect((await bring(done)).json().drafted).toHaveLength(drafts);
  });
});

describe('a file is refused whole, in words for a clerk,', () => {
  const body =
    '<body><trans-unit id="body"><source>a</source><target>b</target></trans-unit></body>';
  const xliff = (version: string, inside: string) =>
    `<xliff version="${version}"><file original="alert" target-language="es-US">${inside}</file></xliff>`;
  test.each([
    ['is no XML', 'PK\u0003', 'not well-formed XML'],
    ['is another XML', '<resources/>', 'not an XLIFF file'],
    ['is XLIFF of another version', xliff('2.1', body), 'save it as XLIFF 1.2'],
    ['is in no language of ours', xliff('1.2', body).replace('es-US', 'xx'), 'target language'],
    [
      'reads a file of the server',
      `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${xliff('1.2', body)}`,
      'declares a document type',
    ],
    [
      'has an entity of its own',
      `<!DOCTYPE x [<!ENTITY a "b">]>${xliff('1.2', '&a;')}`,
      'not well-formed XML',
    ],
    ['is nested without an end', '<g>'.repeat(500_000), 'nested too deeply'],
    ['is not in UTF-8', Buffer.from([0x3c, 0xff]), 'not a text in UTF-8'],
  ])('where it %s', async (_what, content, reason) => {
    const answer = await bring(content);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toContain(reason);
    expect(answer.json().detail).not.toContain('root:');
  });

  test.each([
    [-1, 422],
    [0, 422],
    [1, 413],
  ])('where it has the most bytes and %i: %i', async (more, status) => {
    expect((await bring(Buffer.alloc(mostTranslationBytes + more, ' '))).statusCode).toBe(status);
  });
});
