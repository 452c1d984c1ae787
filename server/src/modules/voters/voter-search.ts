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
