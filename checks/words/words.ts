/**
 * Words that this project does not use, each with what to write instead. They are searched in identifiers, comments,
 * strings, test titles, docs and English texts. A line that needs one of them quotes a phrase of `phrases` below.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface WordRule {
  readonly pattern: RegExp;
  /** What to write instead; printed with each finding. */
  readonly instead: string;
}

/** `forms`, divided by `|`, as whole words of running text or as parts of a camelCase or snake_case name. */
function word(forms: string, instead: string): WordRule {
  const parts = forms.replace(
    /(^|\|)([a-z])/g,
    (_, bar, letter) => `${bar}${letter.toUpperCase()}`,
  );
  return { pattern: new RegExp(`(?:(?<![A-Za-z])(?:${forms})|(?:${parts}))(?![a-z])`), instead };
}

export const wordRules: Readonly<Record<string, WordRule>> = {
  told: word('told|tells', 'notify, message, report, record: say what happens'),
  tell: { pattern: /\btell[A-Z]\w*/, instead: 'notify or report' },
  holds: word('holds', 'contains, keeps, has'),
  held: word('held', 'waiting for approval; file-held and messages-held in data; kept'),
  heed: word('heeds?|heeded', 'use, respect'),
  mend: word('mend|mends|mended|mending', 'fix'),
  forget: word('forgets?|forgot|forgotten', 'discard, remove; or say what is missing'),
  'take in': {
    pattern: /\b(take|takes|taken|took|taking) in\b(?! person)/,
    instead: 'import, load',
  },
  'let go': { pattern: /\blet(s|ting)? go\b/i, instead: 'release' },
  whoever: word('whoever|whomever|whosoever', 'the voter, a visitor: name the person'),
  'who at the head of a title': {
    pattern: /\b(test|it|describe)(\.\w+)?\(\s*['"`]who\b/,
    instead: 'name the person: "a voter who …"',
  },
  'one that': { pattern: /\bone that\b/, instead: 'repeat the noun' },
  'make an account': {
    pattern:
      /\b(make|makes|made|making) (an|the) (account|election)\b|\b(account|election) \S+ is made\b/i,
    instead: 'create',
  },
  post: { pattern: /\b[Tt]he post(?! office)\b/, instead: 'USPS, the Postal Service, mail' },
  day: { pattern: /\boffice[’']s (own )?day\b/, instead: 'the office’s local date' },
  british: {
    pattern:
      /colour|apologis|programme(?!d|r)|behaviour|favour|neighbour|honour|recognis|sanitis|parameteris|labelled(?!by)|initialis|normalis|organis|summaris|serialis|authoris|analyse[ds]?\b|\bcatalogue|\bgrey\b/i,
    instead: 'American spelling',
  },
};

/** Phrases in which a word above is the right one, with the reason. */
const phrases: readonly { readonly phrase: RegExp; readonly reason: string }[] = [
  { phrase: /\b(file|messages|import)-held\b/g, reason: 'states and codes, as data' },
  { phrase: /[`'"](message\.state\.)?held[`'"]/g, reason: 'the state of a message, as data' },
  { phrase: /\bheld: \[own\] = \[\], pending\b/g, reason: 'the browser’s locks' },
  { phrase: /\bheldFile\b|\/held\/|delivered held/g, reason: 'keys and states in stored data' },
  {
    phrase: /[.'"`]holds\b|\bholds(?=:|, at|, \.\.\.)/g,
    reason: 'the key of format files and stored reports (decision 051)',
  },
  { phrase: /\b(told|tells|tell) (\w+ )?apart\b/g, reason: 'the common idiom for distinguishing' },
];

const sources =
  '{*.md,*.ts,bench/**/*.ts,checks/**/*.ts,contract/**/*.ts,database/*.sql,demo/*.ts,demo/generator/**/*.ts,docs/**/*.md,e2e/**/*.ts,locales/english/**/*.{json,md,html},office/*.{ts,html},office/src/**/*.{ts,tsx,css},server/**/*.{ts,json,md},testing/**/*.ts,web/*.{ts,html},web/src/**/*.{ts,tsx,css}}';

export interface WordFinding {
  readonly rule: string;
  /** `path:line` */
  readonly where: string;
  readonly line: string;
}

export interface WordReport {
  /** Files that the patterns name. */
  readonly fileCount: number;
  readonly findings: readonly WordFinding[];
}

/** Every listed word in the files of `root`, except in this check itself. */
export function checkWords(root: string): WordReport {
  const files = globSync(sources, { cwd: root })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !/(^|\/)(node_modules|dist)\/|^checks\/(fixtures\/)?words\//.test(file))
    .sort();
  const findings = files.flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        findWords(line).map((rule) => ({ rule, where: `${file}:${index + 1}`, line: line.trim() })),
      ),
  );
  return { fileCount: files.length, findings };
}

/** The rules that a line breaks. */
export function findWords(line: string): string[] {
  const rest = phrases.reduce((text, { phrase }) => text.replace(phrase, ''), line);
  return Object.entries(wordRules)
    .filter(([, { pattern }]) => pattern.test(rest))
    .map(([rule]) => rule);
}
