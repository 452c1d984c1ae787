import { plainDigits } from '@ballot-beacon/contract/typed-text';

/** A name as match_name() of the database writes it: no case, accents, apostrophes, hyphens or spaces. */
export type MatchName = string;

/** What a visitor typed as a name, compared as the roll is. */
export interface TypedNames {
  readonly lastname: MatchName;
  /** The words of the first name in order. None of them is empty. */
  readonly firstWords: readonly MatchName[];
}

/** More words than this before the middle name are read as one name. */
const mostFirstNameWords = 8;

/**
 * The first names on a roll that the typed words can stand for: the first word, the first two joined, and so on, because
 * a middle name may follow ("Mary Ann" can be MARY or MARYANN). Without words, the voter without a first name.
 *
 * Sign-in accepts no voter whose first name is not among these, and counts failures under each of them: two spellings
 * that can match the same voter share that voter's counter.
 */
export function possibleFirstNames(words: readonly MatchName[]): readonly MatchName[] {
  const whole = words.join('');
  const names = words
    .slice(0, mostFirstNameWords)
    .map((_, index) => words.slice(0, index + 1).join(''));
  return names.at(-1) === whole ? names : [...names, whole];
}

/**
 * Whether a typed first name is the one on the roll (decisions, Login): all of it as registered, with at most
 * the middle name or its initial typed after it. Where the roll has no middle name, any is tolerated. Never a
 * nickname: that is a different person's name on someone's roll. A voter without a first name types none.
 */
export function isFirstNameAsRegistered(
  words: readonly MatchName[],
  registered: { readonly firstname: MatchName; readonly middlename: MatchName },
): boolean {
  const { firstname, middlename } = registered;
  if (!possibleFirstNames(words).includes(firstname)) return false;
  const rest = words.join('').slice(firstname.length);
  if (rest === '' || middlename === '' || rest === middlename) return true;
  // An initial on either side: "Ann L" for Ann Louise, "Ann Louise" for Ann L.
  const isInitial = rest.length === 1 || middlename.length === 1;
  return isInitial && rest[0] === middlename[0];
}

/** The words of a typed name. */
export function splitWords(name: string): string[] {
  return name.split(/\s+/u).filter((word) => word !== '');
}

/** Voter IDs are read off a card: case and spaces do not count. */
export function isSameVoterId(typed: string, registered: string): boolean {
  const plain = (id: string) =>
    plainDigits(id.normalize('NFKC')).replaceAll(/\s/gu, '').toUpperCase();
  return plain(typed) === plain(registered);
}
