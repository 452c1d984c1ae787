/** Names are the same that open the same door: signing in asks for no case, accents or marks either. */
const isSame = (one: string, other: string) => `match_name(${one}) = match_name(${other})`;
const isOther = (one: string, other: string) => `match_name(${one}) <> match_name(${other})`;

const hasSwappedNames = `${isSame('v.firstname', 'r.lastname')} and ${isSame('v.lastname', 'r.firstname')}
  and ${isOther('v.firstname', 'v.lastname')}`;
const isOtherPerson = `${isOther('v.lastname', 'r.lastname')} and (v.birthdate <> r.birthdate
  or ${isOther('v.firstname', 'r.firstname')} and ${isOther('v.firstname', 'r.lastname')})`;
/** What another encoding leaves of a letter with an accent: the mark of a lost one, a question mark, or two in place of one. */
const damage = String.raw`'[?\ufffd]|Ã[\u0080-\u00bf]'`;
const isDamaged = (of: string) =>
  `coalesce(${of}.firstname, '') ~ ${damage} or coalesce(${of}.lastname, '') ~ ${damage}`;

const isOtherText = (column: string) =>
  `v.${column} <> '' and r.${column} <> '' and lower(v.${column}) <> lower(r.${column})`;

/**
 * SQL of what a row `r` changes of who a known voter `v` is and may sign in as. A column that the file does not have is null and changes
 * nothing.
 * @param columns that the file has
 */
export function identityFlags(columns: readonly string[]): string {
  const birth = ['birthdate', 'birthyear'].find((name) => columns.includes(name));
  const flags = {
    has_swapped_names: hasSwappedNames,
    is_other_person: isOtherPerson,
    has_other_name: `(${isOther('v.firstname', 'r.firstname')} or ${isOther('v.lastname', 'r.lastname')})
      and (${hasSwappedNames}) is not true and (${isOtherPerson}) is not true`,
    has_damaged_name: `(${isDamaged('r')}) and not (${isDamaged('v')})`,
    // Also a known birth date that is empty now.
    has_other_birthdate: birth
      ? `v.${birth} is not null and v.${birth} is distinct from r.${birth}`
      : 'false',
    has_other_zipcode: `v.zipcode <> '' and v.zipcode <> r.zipcode`,
    has_other_address: isOtherText('address'),
    has_other_contact: `coalesce(${isOtherText('phone')}, false) or coalesce(${isOtherText('email')}, false)`,
    loses_protection: 'v.is_confidential and not r.is_confidential',
    gains_protection: 'not v.is_confidential and r.is_confidential',
  };
  return Object.entries(flags)
    .map(([name, condition]) => `${condition} as ${name}`)
    .join(', ');
}
