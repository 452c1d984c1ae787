import { type Language, languages } from '@ballot-beacon/contract/languages';
import type { Texts } from '@ballot-beacon/contract/translate';
import {
  type LanguageFiles,
  listTranslatedLanguages,
  readLanguageFiles,
  writeLanguageFiles,
} from './files.ts';
import { hashSource, isReviewed, noReview, type StringReview } from './review.ts';
import { expectedKeys, findProblemsOfText } from './rules.ts';
import { readXliff, writeXliff, type XliffUnit } from './xliff.ts';

export interface ExportOptions {
  /** Only strings without a valid reviewer's mark. */
  readonly isUnreviewedOnly: boolean;
}

/** One language as XLIFF for an office's reviewers. A language without a folder is exported with empty targets. */
export function exportLanguage(
  folder: string,
  language: Language,
  { isUnreviewedOnly }: ExportOptions,
): string {
  const english = readLanguageFiles(folder, 'english');
  const files = readOwnFiles(folder, language, english);
  const units = [...listUnits(english, files)].filter(
    (unit) => !isUnreviewedOnly || !unit.isApproved,
  );
  return writeXliff(language, units, files.review.look_first);
}

function* listUnits(english: LanguageFiles, files: LanguageFiles): Generator<XliffUnit> {
  for (const [section, sources] of Object.entries(english.sections))
    for (const [key, sourceKey] of expectedKeys(files.language, sources)) {
      const source = sources[sourceKey] ?? '';
      const isApproved = isReviewed(files.review, `${section}:${key}`, source);
      const form = key === sourceKey ? undefined : key.slice(key.lastIndexOf('_') + 1);
      yield {
        section,
        key,
        source,
        target: files.sections[section]?.[key] ?? '',
        isApproved,
        ...(form === undefined ? {} : { note: describeForm(files.language, form) }),
      };
    }
}

/** Says which numbers a plural form is for. */
function describeForm(language: Language, form: string): string {
  const plurals = new Intl.PluralRules([languages[language].tag, 'en']);
  const examples = Array.from({ length: 201 }, (_, count) => count)
    .filter((count) => plurals.select(count) === form)
    .slice(0, 4);
  return `Plural form “${form}”, for ${examples.length > 0 ? `${examples.join(', ')} …` : 'fractions'}`;
}

export interface ImportOptions {
  /** The reviewer's role as it is recorded with each approved string. Not a person's name. */
  readonly by: string;
  /** YYYY-MM-DD */
  readonly today: string;
  readonly isDryRun: boolean;
}

export interface ImportOutcome {
  readonly language: Language;
  /** True when the file had no problems. False: nothing was changed. */
  readonly isImported: boolean;
  readonly changed: number;
  readonly approved: number;
  /** IDs whose English changed after the export; not imported. */
  readonly stale: readonly string[];
  /** The broken rules, one sentence each. */
  readonly problems: readonly string[];
}

/**
 * Imports a reviewer's XLIFF into locales/LANGUAGE, completely or not at all: one text that breaks a rule refuses the file.
 *
 * @throws Error when the file cannot be read as XLIFF.
 */
export function importLanguage(folder: string, xml: string, options: ImportOptions): ImportOutcome {
  const { language, units } = readXliff(xml);
  if (language === 'english')
    throw new Error('English is the source; change it in locales/english.');
  const english = readLanguageFiles(folder, 'english');
  const files = readOwnFiles(folder, language, english);
  const draft = new Draft(english, files, options);
  for (const unit of units) draft.take(unit);
  draft.demandWhole();

  const isImported = draft.problems.length === 0;
  if (isImported && !options.isDryRun) writeLanguageFiles(folder, draft.toFiles(), english);
  const { changed, approved, stale, problems } = draft;
  return { language, isImported, changed, approved, stale, problems };
}

/** A language's files with a reviewer's units applied. */
class Draft {
  readonly stale: string[] = [];
  readonly problems: string[] = [];
  changed = 0;
  approved = 0;
  readonly #english: LanguageFiles;
  readonly #files: LanguageFiles;
  readonly #options: ImportOptions;
  readonly #sections = new Map<string, Record<string, string>>();
  readonly #marks: Record<string, StringReview>;

  constructor(english: LanguageFiles, files: LanguageFiles, options: ImportOptions) {
    this.#english = english;
    this.#files = files;
    this.#options = options;
    this.#marks = { ...files.review.strings };
    for (const section of Object.keys(english.sections))
      this.#sections.set(section, { ...files.sections[section] });
  }

  take({ section, key, source: sourceRead, target: targetRead, isApproved }: XliffUnit): void {
    const id = `${section}:${key}`;
    const source = this.#sourceOf(section, key);
    const texts = this.#sections.get(section);
    if (source === undefined || texts === undefined) {
      this.problems.push(`${id}: this text does not exist; was the id changed?`);
      return;
    }
    if (sourceRead !== source) {
      this.stale.push(id);
      return;
    }
    const target = targetRead.trim();
    if (target === '' && !isApproved) return;
    for (const [rule, detail] of findProblemsOfText(this.#files.language, key, source, target))
      this.problems.push(`${id}: ${rule}: ${detail}`);

    const isChanged = texts[key] !== target;
    if (isChanged) this.changed += 1;
    texts[key] = target;
    if (!isApproved) delete this.#marks[id];
    else if (isChanged || !isReviewed(this.#files.review, id, source)) {
      this.approved += 1;
      const { by, today } = this.#options;
      this.#marks[id] = { by, date: today, source: hashSource(source) };
    }
  }

  /** A language in locales/ must be complete, or voters would see keys. */
  demandWhole(): void {
    for (const [section, sources] of Object.entries(this.#english.sections))
      for (const key of expectedKeys(this.#files.language, sources).keys())
        if (this.#sections.get(section)?.[key] === undefined)
          this.problems.push(`${section}:${key}: not translated yet`);
  }

  toFiles(): LanguageFiles {
    const { language, review } = this.#files;
    const reviewed = isWhollyReviewed(this.#english, language, this.#marks);
    const strings = Object.fromEntries(
      Object.entries(this.#marks).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    return {
      ...this.#files,
      sections: Object.fromEntries(this.#sections),
      review: { ...review, reviewed, strings },
    };
  }

  #sourceOf(section: string, key: string): string | undefined {
    const sources = this.#english.sections[section];
    const sourceKey = sources && expectedKeys(this.#files.language, sources).get(key);
    return sourceKey === undefined ? undefined : sources?.[sourceKey];
  }
}

/** Whether every string of a language has a valid reviewer's mark. */
export function isWhollyReviewed(
  english: LanguageFiles,
  language: Language,
  marks: Readonly<Record<string, StringReview>>,
): boolean {
  return Object.entries(english.sections).every(([section, sources]: [string, Texts]) =>
    [...expectedKeys(language, sources)].every(
      ([key, sourceKey]) =>
        marks[`${section}:${key}`]?.source === hashSource(sources[sourceKey] ?? ''),
    ),
  );
}

/** A new language starts with the frames of the English pages and no texts. */
function readOwnFiles(folder: string, language: Language, english: LanguageFiles): LanguageFiles {
  if (listTranslatedLanguages(folder).includes(language))
    return readLanguageFiles(folder, language);
  return {
    language,
    sections: {},
    frames: english.frames,
    review: noReview,
  };
}
