/**
 * The twenty-one languages a county can offer (product spec §1).
 *
 * `locale` is the code the language-file call takes; `tag` is the BCP 47 form for `<html lang>` and Intl;
 * `abbreviation` is shown in the closed language menu; `ownName` is how its readers write it.
 */
export const languages = {
  arabic: { locale: 'ar_SA', tag: 'ar-SA', abbreviation: 'AR', ownName: 'العربية', dir: 'rtl' },
  bengali: { locale: 'bn_BD', tag: 'bn-BD', abbreviation: 'BN', ownName: 'বাংলা', dir: 'ltr' },
  cantonese: { locale: 'zh_HK', tag: 'zh-HK', abbreviation: '粵', ownName: '粵語', dir: 'ltr' },
  chinese: { locale: 'zh_CN', tag: 'zh-CN', abbreviation: '中', ownName: '中文', dir: 'ltr' },
  creole: {
    locale: 'ht_HT',
    tag: 'ht-HT',
    abbreviation: 'HT',
    ownName: 'Kreyòl ayisyen',
    dir: 'ltr',
  },
  english: { locale: 'en_US', tag: 'en-US', abbreviation: 'EN', ownName: 'English', dir: 'ltr' },
  french: { locale: 'fr_FR', tag: 'fr-FR', abbreviation: 'FR', ownName: 'Français', dir: 'ltr' },
  german: { locale: 'de_DE', tag: 'de-DE', abbreviation: 'DE', ownName: 'Deutsch', dir: 'ltr' },
  hawaiian: {
    locale: 'haw_US',
    tag: 'haw-US',
    abbreviation: 'HAW',
    ownName: 'ʻŌlelo Hawaiʻi',
    dir: 'ltr',
  },
  hindi: { locale: 'hi_IN', tag: 'hi-IN', abbreviation: 'HI', ownName: 'हिन्दी', dir: 'ltr' },
  ilocano: { locale: 'ilo_PH', tag: 'ilo-PH', abbreviation: 'ILO', ownName: 'Ilokano', dir: 'ltr' },
  japanese: { locale: 'ja_JP', tag: 'ja-JP', abbreviation: 'JA', ownName: '日本語', dir: 'ltr' },
  khmer: { locale: 'km_KH', tag: 'km-KH', abbreviation: 'KM', ownName: 'ខ្មែរ', dir: 'ltr' },
  korean: { locale: 'ko_KR', tag: 'ko-KR', abbreviation: 'KO', ownName: '한국어', dir: 'ltr' },
  russian: { locale: 'ru_RU', tag: 'ru-RU', abbreviation: 'RU', ownName: 'Русский', dir: 'ltr' },
  somali: { locale: 'so_SO', tag: 'so-SO', abbreviation: 'SO', ownName: 'Soomaali', dir: 'ltr' },
  spanish: { locale: 'es_US', tag: 'es-US', abbreviation: 'ES', ownName: 'Español', dir: 'ltr' },
  tagalog: { locale: 'tl_PH', tag: 'tl-PH', abbreviation: 'TL', ownName: 'Tagalog', dir: 'ltr' },
  thai: { locale: 'th_TH', tag: 'th-TH', abbreviation: 'TH', ownName: 'ไทย', dir: 'ltr' },
  ukrainian: {
    locale: 'uk_UA',
    tag: 'uk-UA',
    abbreviation: 'UK',
    ownName: 'Українська',
    dir: 'ltr',
  },
  vietnamese: {
    locale: 'vi_VN',
    tag: 'vi-VN',
    abbreviation: 'VI',
    ownName: 'Tiếng Việt',
    dir: 'ltr',
  },
} as const satisfies Record<string, LanguageFacts>;

interface LanguageFacts {
  readonly locale: string;
  readonly tag: string;
  readonly abbreviation: string;
  readonly ownName: string;
  readonly dir: 'ltr' | 'rtl';
}

export type Language = keyof typeof languages;
export type Locale = (typeof languages)[Language]['locale'];

export const defaultLanguage: Language = 'english';
export const languageNames = Object.keys(languages) as readonly Language[];
export const languageCookieName = 'language';

/** The cookie's domain at this host: none where it is not a site of that domain, because a browser refuses such a cookie. */
export function languageCookieDomain(domain: string | undefined, host: string): string | undefined {
  return domain && `.${host}`.endsWith(`.${domain}`) ? domain : undefined;
}

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(languages, value);
}

/** The language whose locale code (`es_US`) this is; undefined for any other text. */
export function languageOfLocale(locale: string): Language | undefined {
  return languageNames.find((name) => languages[name].locale === locale);
}

/**
 * Picks the language of a page: `?language=` (any case), then the cookie, then english.
 * A language that the account does not offer counts as not requested.
 */
export function chooseLanguage(
  asked: { query?: string | null | undefined; cookie?: string | null | undefined },
  offered: readonly Language[],
): Language {
  for (const wish of [asked.query?.toLowerCase(), asked.cookie]) {
    if (isLanguage(wish) && offered.includes(wish)) return wish;
  }
  return defaultLanguage;
}
