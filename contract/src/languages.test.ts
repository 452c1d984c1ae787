import { describe, expect, it } from 'vitest';
import {
  chooseLanguage,
  languageCookieDomain,
  languageNames,
  languageOfLocale,
  languages,
} from './languages.ts';

describe('the languages', () => {
  it('are the twenty-one of the specification, each with its locale code', () => {
    expect(Object.fromEntries(languageNames.map((name) => [name, languages[name].locale]))).toEqual(
      {
        arabic: 'ar_SA',
        bengali: 'bn_BD',
        cantonese: 'zh_HK',
        chinese: 'zh_CN',
        creole: 'ht_HT',
        english: 'en_US',
        french: 'fr_FR',
        german: 'de_DE',
        hawaiian: 'haw_US',
        hindi: 'hi_IN',
        ilocano: 'ilo_PH',
        japanese: 'ja_JP',
        khmer: 'km_KH',
        korean: 'ko_KR',
        russian: 'ru_RU',
        somali: 'so_SO',
        spanish: 'es_US',
        tagalog: 'tl_PH',
        thai: 'th_TH',
        ukrainian: 'uk_UA',
        vietnamese: 'vi_VN',
      },
    );
    for (const name of languageNames)
      expect(languageOfLocale(languages[name].locale), name).toBe(name);
  });

  it('have different abbreviations, and names as their readers write them', () => {
    const all = Object.values(languages);
    for (const member of ['abbreviation', 'ownName', 'tag'] as const)
      expect(new Set(all.map((language) => language[member])).size, member).toBe(21);
    expect(all.filter(({ dir }) => dir === 'rtl').map(({ locale }) => locale)).toEqual(['ar_SA']);
  });

  it('are chosen by the address in any case, then by the cookie, then english', () => {
    const offered = ['english', 'spanish', 'french'] as const;
    expect(chooseLanguage({ query: 'SPANISH', cookie: 'french' }, offered)).toBe('spanish');
    expect(chooseLanguage({ cookie: 'french' }, offered)).toBe('french');
    expect(chooseLanguage({}, offered)).toBe('english');
  });

  it.each(['klingon', 'german', '', 'toString'])('"%s" counts as not asked for', (query) => {
    const offered = ['english', 'spanish'] as const;
    expect(chooseLanguage({ query, cookie: 'spanish' }, offered)).toBe('spanish');
    expect(chooseLanguage({ query }, offered)).toBe('english');
  });

  it.each([
    ['vote.example', 'vote.example', true],
    ['vote.example', 'adams.vote.example', true],
    ['vote.example', 'novote.example', false],
    ['vote.example', 'ballots.adams.example', false],
    [undefined, 'adams.vote.example', false],
  ])('are kept for %s at %s: %s', (domain, host, isShared) => {
    expect(languageCookieDomain(domain, host)).toBe(isShared ? domain : undefined);
  });
});
