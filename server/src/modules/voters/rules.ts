/** A name as match_name() of the database writes it: no case, accents, apostrophes, hyphens or spaces. */
type MatchName = string;

/**
 * Whether a typed first name is the one on the roll (decisions, Login): all of it as registered, with at most
 * the middle name or its initial typed after it. Where the roll has no middle name, any is tolerated. Never a
 * nickname: that is a different person's name on someone's roll. A voter without a first name types none.
 *
 * @param typed the typed words in order, each through match_name()
 */
export function isFirstNameAsRegistered(
  typed: readonly MatchName[],
  registered: { readonly firstname: MatchName; readonly middlename: MatchName },
): boolean {
  const { firstname, middlename } = registered;
  if (firstname === '') return typed.every((word) => word === '');
  for (let count = 1; count <= typed.length; count += 1) {
    if (typed.slice(0, count).join('') !== firstname) continue;
    const rest = typed.slice(count).join('');
    if (rest === '' || middlename === '' || rest === middlename) return true;
    // An initial on either side: "Ann L" for Ann Louise, "Ann Louise" for Ann L.
    const isInitial = rest.length === 1 || middlename.length === 1;
    if (isInitial && rest[0] === middlename[0]) return true;
  }
  return false;
}

/** The words of a typed name, at most as many as a name of 60 characters can have. */
export function splitWords(name: string): string[] {
  return name.split(/\s+/u).filter((word) => word !== '');
}

/** Voter IDs are read off a card: case and spaces do not count. */
export function isSameVoterId(typed: string, registered: string): boolean {
  const plain = (id: string) => id.replaceAll(/\s/gu, '').toUpperCase();
  return plain(typed) === plain(registered);
}
