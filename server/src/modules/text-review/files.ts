import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { isLanguage, type Language } from '@ballot-beacon/contract/languages';
import type { Texts } from '@ballot-beacon/contract/translate';
import { parseWrittenJson } from '../../platform/written-json.ts';
import { joinHtml, splitHtml } from './html-blocks.ts';
import { noReview, type Review } from './review.ts';

/** locales/ of this installation. */
export const localesFolder = path.resolve(import.meta.dirname, '../../../../locales');

/**
 * One language's folder. A section is `main`, `messages` or `pages/NAME.html`; the texts of a page are its
 * blocks by number, and `frames` contains what is around them.
 */
export interface LanguageFiles {
  readonly language: Language;
  readonly sections: Readonly<Record<string, Texts>>;
  readonly frames: Readonly<Record<string, string>>;
  readonly review: Review;
}

/** Languages that have a folder, in the folder's order. */
export function listTranslatedLanguages(folder: string): readonly Language[] {
  return readdirSync(folder).filter(isLanguage).sort();
}

/** @throws Error naming a file that is not a flat JSON object of texts. */
export function readLanguageFiles(folder: string, language: Language): LanguageFiles {
  const home = path.join(folder, language);
  const sections: Record<string, Texts> = {};
  const frames: Record<string, string> = {};
  for (const file of readdirSync(home).sort())
    if (file.endsWith('.json') && file !== 'review.json')
      sections[file.slice(0, -'.json'.length)] = readTexts(path.join(home, file));

  const pages = path.join(home, 'pages');
  for (const file of existsSync(pages) ? readdirSync(pages).sort() : []) {
    const { frame, texts } = splitHtml(readFileSync(path.join(pages, file), 'utf8'));
    sections[`pages/${file}`] = texts;
    frames[`pages/${file}`] = frame;
  }
  const reviewFile = path.join(home, 'review.json');
  const review = existsSync(reviewFile) ? (readJson(reviewFile) as Review) : noReview;
  return { language, sections, frames, review };
}

/** Writes a language's texts in the order of the English keys, and its review state. */
export function writeLanguageFiles(
  folder: string,
  files: LanguageFiles,
  english: LanguageFiles,
): void {
  const home = path.join(folder, files.language);
  mkdirSync(home, { recursive: true });
  for (const [section, texts] of Object.entries(files.sections)) {
    const frame = files.frames[section];
    if (frame === undefined)
      replaceFile(
        path.join(home, `${section}.json`),
        toJson(inOrderOf(english.sections[section], texts)),
      );
    else {
      mkdirSync(path.join(home, 'pages'), { recursive: true });
      replaceFile(path.join(home, section), joinHtml({ frame, texts }));
    }
  }
  replaceFile(path.join(home, 'review.json'), toJson(files.review));
}

/** The same texts, with keys in the order of another file; plural forms stay together. */
function inOrderOf(model: Texts | undefined, texts: Texts): Texts {
  const stem = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '');
  const place = new Map(Object.keys(model ?? {}).map((key, index) => [stem(key), index]));
  const last = place.size + Object.keys(model ?? {}).length;
  return Object.fromEntries(
    Object.entries(texts)
      .map((entry) => ({ entry, at: place.get(stem(entry[0])) ?? last }))
      .sort((a, b) => a.at - b.at)
      .map(({ entry }) => entry),
  );
}

function readTexts(file: string): Texts {
  const content = readJson(file);
  const isFlat =
    typeof content === 'object' &&
    content !== null &&
    !Array.isArray(content) &&
    Object.values(content).every((text) => typeof text === 'string');
  if (!isFlat) throw new Error(`${file}: must be one flat object of keys and texts.`);
  return content as Texts;
}

function readJson(file: string): unknown {
  try {
    return parseWrittenJson(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} ${(error as Error).message}.`);
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A reader gets the old file or the new file, never half of one. */
function replaceFile(file: string, content: string): void {
  const draft = `${file}.new`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}
