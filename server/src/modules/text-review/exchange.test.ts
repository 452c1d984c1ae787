import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFixture } from '../../../../testing/unpack-fixture.ts';
import { exportLanguage, importLanguage } from './exchange.ts';
import { readLanguageFiles } from './files.ts';

const example = path.resolve(import.meta.dirname, '../../../../checks/locales/fixture.txt');
const reviewer = { by: 'County language access coordinator', today: '2026-09-01', isDryRun: false };
const everything = { isUnreviewedOnly: false };

let root = '';
let folder = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'beacon-exchange-'));
  folder = path.join(root, 'locales');
  readFixture(example).unpack('allowed', root);
});
afterEach(() => rmSync(root, { recursive: true }));

const readAll = () => readLanguageFiles(folder, 'russian');
const exported = () => exportLanguage(folder, 'russian', everything);
const approve = (xml: string, key: string) =>
  xml.replace(`id="${key}" approved="no"`, `id="${key}" approved="yes"`);

describe('the exchange with reviewers', () => {
  it('exports every text with its English original, and plural forms with the numbers they are for', () => {
    const xml = exported();
    expect(xml).toContain('<file original="main" source-language="en-US" target-language="ru-RU"');
    expect(xml).toContain('<note>The names of the four steps.</note>');
    expect(xml).toContain('<source>First name</source>');
    expect(xml).toContain('<target state="needs-review-translation">Имя</target>');
    expect(xml).toContain('Plural form “few”, for 2, 3, 4, 22 …');
    expect(xml).toContain('<file original="pages/privacy.html"');
    expect(xml).toContain('<ph id="strong">&lt;strong&gt;</ph>');
  });

  it('changes nothing when a file comes back unchanged', () => {
    const before = readAll();
    const outcome = importLanguage(folder, exported(), reviewer);
    expect(outcome).toEqual({
      language: 'russian',
      isImported: true,
      changed: 0,
      approved: 0,
      stale: [],
      problems: [],
    });
    expect(readAll()).toEqual(before);
  });

  it.each(['ru_RU', 'RU-ru'])('knows the language that a tool writes as %s', (tag) => {
    const xml = exported().replaceAll('target-language="ru-RU"', `target-language="${tag}"`);
    expect(importLanguage(folder, xml, reviewer)).toMatchObject({
      ...{ language: 'russian', isImported: true },
    });
  });

  it('imports a corrected text and marks it with the reviewer’s role and day', () => {
    const xml = approve(exported(), 'login.name').replace('>Имя<', '>Личное имя<');
    const outcome = importLanguage(folder, xml, reviewer);
    expect(outcome).toMatchObject({ isImported: true, changed: 1, approved: 1 });
    const { sections, review } = readAll();
    expect(sections.main?.['login.name']).toBe('Личное имя');
    expect(review.strings['main:login.name']).toMatchObject({
      by: reviewer.by,
      date: '2026-09-01',
    });
    expect(review.reviewed).toBe(false);
  });

  it('imports a corrected block of a page without changing the page around it', () => {
    const before = readFileSync(path.join(folder, 'russian/pages/privacy.html'), 'utf8');
    importLanguage(
      folder,
      exported().replace('Мы ничего не продаём.', 'Мы не продаём ничего.'),
      reviewer,
    );
    const page = readFileSync(path.join(folder, 'russian/pages/privacy.html'), 'utf8');
    expect(page).toBe(before.replace('Мы ничего не продаём.', 'Мы не продаём ничего.'));
  });

  it('calls a language reviewed only when every text is', () => {
    importLanguage(folder, exported().replaceAll('approved="no"', 'approved="yes"'), reviewer);
    const { reviewed, strings } = readAll().review;
    expect(reviewed).toBe(true);
    // In an order that shows what a later file changed.
    expect(Object.keys(strings)).toEqual(Object.keys(strings).sort());
    expect(exportLanguage(folder, 'russian', { isUnreviewedOnly: true })).not.toContain(
      '<trans-unit',
    );
  });

  it('keeps the marks of texts that a later file leaves out', () => {
    importLanguage(folder, exported().replaceAll('approved="no"', 'approved="yes"'), reviewer);
    changeEnglish('First name', 'Given name');
    const rest = exportLanguage(folder, 'russian', { isUnreviewedOnly: true });
    importLanguage(folder, approve(rest, 'login.name'), reviewer);
    expect(readAll().review.reviewed).toBe(true);
  });

  it('asks for review again when the English of a reviewed text changes', () => {
    importLanguage(folder, approve(exported(), 'login.name'), reviewer);
    changeEnglish('First name', 'Given name');
    expect(exported()).toContain('id="login.name" approved="no"');
  });

  it('skips a text whose English changed after the export, and says so', () => {
    const xml = approve(exported(), 'login.name').replace('>Имя<', '>Личное имя<');
    changeEnglish('First name', 'Given name');
    const outcome = importLanguage(folder, xml, reviewer);
    expect(outcome).toMatchObject({ isImported: true, stale: ['main:login.name'], changed: 0 });
    expect(readAll().sections.main?.['login.name']).toBe('Имя');
  });

  it.each([
    ['a lost placeholder', '<ph id="county">{{county}}</ph>', '', 'placeholders-differ'],
    [
      'a polling place for the office',
      'избирательной комиссии',
      'избирательном участке',
      'polling-place',
    ],
    ['a strange id', 'id="login.name"', 'id="login.nmae"', 'this text does not exist'],
  ])('refuses the whole file over %s and changes nothing', (_what, from, to, problem) => {
    const xml = exported().replace('>Имя<', '>Личное имя<');
    const at = xml.lastIndexOf(from, xml.indexOf('messages'));
    const outcome = importLanguage(
      folder,
      xml.slice(0, at) + xml.slice(at).replace(from, to),
      reviewer,
    );
    expect(outcome.isImported).toBe(false);
    expect(outcome.problems.join('\n')).toContain(problem);
    expect(readAll().sections.main?.['login.name']).toBe('Имя');
  });

  it('keeps a text that comes back empty, and refuses the file when the reviewer approved that', () => {
    const xml = exported().replace('>Имя<', '><');
    expect(importLanguage(folder, xml, reviewer)).toMatchObject({ isImported: true, changed: 0 });
    expect(readAll().sections.main?.['login.name']).toBe('Имя');
    const approved = importLanguage(folder, approve(xml, 'login.name'), reviewer);
    expect(approved).toMatchObject({
      isImported: false,
      problems: [expect.stringContaining('main:login.name: missing-key')],
    });
  });

  it('changes nothing in a dry run', () => {
    const xml = exported().replace('>Имя<', '>Личное имя<');
    const outcome = importLanguage(folder, xml, { ...reviewer, isDryRun: true });
    expect(outcome).toMatchObject({ isImported: true, changed: 1 });
    expect(readAll().sections.main?.['login.name']).toBe('Имя');
  });

  it('starts a new language from an export with empty targets, and imports it only when it is complete', () => {
    const empty = exportLanguage(folder, 'german', everything);
    expect(empty).toContain('<target state="needs-review-translation"></target>');
    const outcome = importLanguage(folder, empty, reviewer);
    expect(outcome.isImported).toBe(false);
    expect(outcome.problems).toContain('main:login.name: not translated yet');
    // English has no such form of its own.
    const sent = exportLanguage(folder, 'ukrainian', everything);
    expect(importLanguage(folder, sent, reviewer).problems).toContain(
      'main:login.problems_few: not translated yet',
    );
  });

  it.each([
    ['<xliff version="1.2"><file></xliff>', 'not well-formed XML'],
    ['<html/>', 'not an XLIFF file'],
    ['<xliff version="2.0"/>', 'save it as XLIFF 1.2'],
    ['<xliff version="1.2"><file original="main" target-language="pl-PL"/></xliff>', 'pl-PL'],
    ['<!DOCTYPE x [<!ENTITY e "boom">]><xliff version="1.2">&e;</xliff>', 'not well-formed XML'],
  ])('says what is wrong with a file that is none: %s', (xml, message) => {
    expect(() => importLanguage(folder, xml, reviewer)).toThrow(message);
  });
});

function changeEnglish(from: string, to: string): void {
  const file = path.join(folder, 'english/main.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}
