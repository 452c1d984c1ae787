import { type Language, languageNames, languages } from '@ballot-beacon/contract/languages';
import {
  XmlElement as Element,
  parseXml,
  type XmlDocument,
  type XmlElement,
  XmlNode,
  XmlText,
} from '@rgrove/parse-xml';

/**
 * XLIFF 1.2 (OASIS), the version that every common translation tool reads. One `file` per section; a text is a
 * `trans-unit` whose id is its key. Placeholders and tags are `ph` elements, so that tools protect them.
 * A reviewed text has `approved="yes"` and the target state `signed-off`; others say what is to be done, `needs-review-translation` unless the unit says another.
 */
export interface XliffUnit {
  readonly section: string;
  readonly key: string;
  readonly source: string;
  readonly target: string;
  readonly isApproved: boolean;
  /** What is to be done with a target that is not approved. Not read back: not every tool keeps it. */
  readonly state?: 'needs-translation' | 'needs-adaptation' | 'needs-review-translation';
  /** A note for the reviewer; not read back. */
  readonly note?: string;
}

const namespace = 'urn:oasis:names:tc:xliff:document:1.2';
const protectedPart = /\{\{\s*\w+\s*\}\}|<\/?[a-zA-Z][^>]*>/g;
const approvedStates = ['signed-off', 'final'];

export function writeXliff(
  language: Language,
  units: readonly XliffUnit[],
  lookFirst: readonly string[],
): string {
  const sections = Map.groupBy(units, (unit) => unit.section);
  const files = [...sections].map(([section, members], index) => {
    const notes =
      index === 0 ? lookFirst.map((note) => `      <note>${escapeXml(note)}</note>\n`) : [];
    const header = notes.length > 0 ? `    <header>\n${notes.join('')}    </header>\n` : '';
    return [
      `  <file original="${escapeXml(section)}" source-language="${languages.english.tag}"`,
      ` target-language="${languages[language].tag}" datatype="plaintext">\n`,
      header,
      '    <body>\n',
      ...members.map(writeUnit),
      '    </body>\n  </file>\n',
    ].join('');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="${namespace}">\n${files.join('')}</xliff>\n`;
}

function writeUnit(unit: XliffUnit): string {
  const { key, source, target, isApproved, note } = unit;
  const state = isApproved ? 'signed-off' : (unit.state ?? 'needs-review-translation');
  return [
    `      <trans-unit id="${escapeXml(key)}" approved="${isApproved ? 'yes' : 'no'}" xml:space="preserve">\n`,
    `        <source>${writeContent(source)}</source>\n`,
    `        <target state="${state}">${writeContent(target)}</target>\n`,
    note === undefined ? '' : `        <note>${escapeXml(note)}</note>\n`,
    '      </trans-unit>\n',
  ].join('');
}

/** Numbers protected parts by content, so that source and target use the same number for the same part. */
function writeContent(text: string): string {
  const ids = new Map<string, number>();
  let content = '';
  let at = 0;
  for (const { 0: part, index } of text.matchAll(protectedPart)) {
    const id = ids.get(part) ?? ids.size + 1;
    ids.set(part, id);
    content += `${escapeXml(text.slice(at, index))}<ph id="${escapeXml(partName(part, id))}">${escapeXml(part)}</ph>`;
    at = index + part.length;
  }
  return content + escapeXml(text.slice(at));
}

function partName(part: string, id: number): string {
  const name = /\w+/.exec(part)?.[0] ?? String(id);
  return part.startsWith('</') ? `${name}-end` : name;
}

export interface XliffContent {
  readonly language: Language;
  readonly units: readonly XliffUnit[];
}

/**
 * Reads a file that a translation tool saved.
 *
 * @throws Error that says what is wrong with the file and where, for people who send such files.
 */
export function readXliff(xml: string): XliffContent {
  const root = parse(xml);
  if (root.name !== 'xliff')
    throw new Error('This is not an XLIFF file: its first element is not <xliff>.');
  if (root.attributes.version !== '1.2')
    throw new Error(
      `This is XLIFF ${root.attributes.version ?? 'without a version'}; save it as XLIFF 1.2, the version that was exported.`,
    );
  const files = childrenNamed(root, 'file');
  const tags = new Set(files.map((file) => file.attributes['target-language'] ?? ''));
  const [tag] = tags;
  const language = languageNames.find((name) => sameTag(languages[name].tag, tag ?? ''));
  if (tags.size !== 1 || language === undefined)
    throw new Error(
      `The target language must be a language that Ballot Beacon offers, not: ${[...tags].join(', ') || 'none'}.`,
    );
  return { language, units: files.flatMap((file) => [...readFile(file)]) };
}

function parse(xml: string): XmlElement {
  let document: XmlDocument;
  try {
    document = parseXml(xml, { preserveDocumentType: true });
  } catch (error) {
    if (error instanceof RangeError) throw new Error('The file is nested too deeply.');
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    throw new Error(`The file is not well-formed XML: ${reason}`);
  }
  // The parser opens nothing outside the file and expands no entities. A file that tries to have it do so is refused all the same.
  if (document.children.some((one) => one.type === XmlNode.TYPE_DOCUMENT_TYPE))
    throw new Error(
      'The file declares a document type (<!DOCTYPE …>), which XLIFF has no use for.',
    );
  if (document.root === null) throw new Error('The file is empty.');
  return document.root;
}

function* readFile(file: XmlElement): Generator<XliffUnit> {
  const section = file.attributes.original ?? '';
  for (const body of childrenNamed(file, 'body'))
    for (const unit of childrenNamed(body, 'trans-unit')) {
      const key = unit.attributes.id ?? '';
      const [source] = childrenNamed(unit, 'source');
      const [target] = childrenNamed(unit, 'target');
      if (key === '' || source === undefined)
        throw new Error(`A trans-unit of ${section} has no id or no source: ${key || 'no id'}.`);
      if (target === undefined) continue;
      yield {
        section,
        key,
        source: readContent(source),
        target: readContent(target),
        isApproved:
          unit.attributes.approved === 'yes' ||
          approvedStates.includes(target.attributes.state ?? ''),
      };
    }
}

/** The text with its protected parts; marks that a tool added around words are ignored. */
function readContent(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (child instanceof XmlText) return child.text;
      return child instanceof Element ? readContent(child) : '';
    })
    .join('');
}

function childrenNamed(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.filter(
    (child): child is XmlElement => child instanceof Element && child.name === name,
  );
}

function sameTag(ours: string, theirs: string): boolean {
  return ours.toLowerCase() === theirs.toLowerCase().replace('_', '-');
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
