/** What a clerk typed to find a voter. A voter must match all that is there. */
export interface VoterSearch {
  /** In the order typed. */
  readonly nameWords: readonly string[];
  /** `YYYY-MM-DD` */
  readonly birthdate: string | undefined;
  /** Lower case. */
  readonly email: string | undefined;
  /** Ten digits. */
  readonly phone: string | undefined;
}

const birthdatePattern =
  /(?<![\d/-])(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[/-](\d{1,2})[/-](\d{4}))(?![\d/-])/;
const phonePattern = /(?<!\d)(?:\+?1[-. ]?)?\(?(\d{3})\)?[-. ]*(\d{3})[-. ]*(\d{4})(?!\d)/;

/** Reads a search: `Rita Johnson 2/1/1950`, `(509) 555-0142`, `rita@mail.example`. */
export function readVoterSearch(text: string): VoterSearch {
  let rest = text;
  const cut = (pattern: RegExp): RegExpExecArray | undefined => {
    const found = pattern.exec(rest);
    if (found) rest = rest.replace(found[0], ' ');
    return found ?? undefined;
  };
  const email = cut(/\S+@\S+/)?.[0].toLowerCase();
  const date = cut(birthdatePattern);
  const phone = cut(phonePattern);
  return {
    email,
    birthdate: date && readDay(date),
    phone: phone && `${phone[1]}${phone[2]}${phone[3]}`,
    nameWords: rest.split(/[\s,]+/u).filter((word) => word !== ''),
  };
}

/** The day of a match of {@link birthdatePattern}; the first of all days, on which nobody was born, for February 30. */
function readDay([, y, m, d, month = m, day = d, year = y]: RegExpExecArray): string {
  const iso = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
  return exists ? iso : '0001-01-01';
}

/** One way to read typed words as a name. */
interface NameReading {
  readonly lastname: string;
  /** Null where the words may be the start of a last name, as a clerk types it. */
  readonly firstname: string | null;
  /** First and middle names together; null where only one word is of them. */
  readonly givenname: string | null;
}

/**
 * What typed words can mean: the start of a last name, or, wherever they are cut in two, the last name at either end with the
 * start of a first name. "Ana de la Cruz" and "de la Cruz Ana" are one of these.
 */
export function listNameReadings(words: readonly string[]): NameReading[] {
  const [whole] = words.length === 0 ? [] : [words.join(' ')];
  if (whole === undefined) return [];
  const cuts = Array.from({ length: words.length - 1 }, (_, at) => [
    words.slice(0, at + 1),
    words.slice(at + 1),
  ]);
  return [
    { lastname: whole, firstname: null, givenname: null },
    ...cuts.flatMap(([start = [], end = []]) => [readAs(start, end), readAs(end, start)]),
  ];
}

function readAs(lastWords: readonly string[], givenWords: readonly string[]): NameReading {
  const [firstname = ''] = givenWords;
  return {
    lastname: lastWords.join(' '),
    firstname,
    givenname: givenWords.length > 1 ? givenWords.join(' ') : null,
  };
}

/** Longer IDs are on no roll that we know. */
const longestId = 20;

/** An ID of digits with every number of leading zeros; of other IDs only the ID itself. */
export function listIdForms(id: string): string[] {
  if (!/^\d+$/.test(id)) return [id];
  const digits = id.replace(/^0+(?=\d)/, '');
  return Array.from({ length: Math.max(1, longestId - digits.length + 1) }, (_, zeros) =>
    digits.padStart(digits.length + zeros, '0'),
  );
}
