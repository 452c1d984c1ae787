/** SQL that draws an invented roll as varied as a real one. No entry is a person. */

/**
 * The place of something in the list of how common it is, 0 the most common, as names and places are: Zipf's law with its head cut off.
 *
 * @param kinds how many there are
 * @param evenness about as many at the top are equally common; the most common has a share of 1 in `evenness × ln(kinds / evenness)`
 * @param draw SQL, 0 to 1
 */
function rankOf(kinds: number, evenness: number, draw: string): string {
  return `floor(${evenness} * (power(${kinds / evenness + 1}, ${draw}) - 1))::int`;
}

/** By the census, the most common last name has a share of 0.8 %, and the first thousand have 40 %. */
const lastNames = { kinds: 600_000, evenness: 15 };
const firstNames = { kinds: 20_000, evenness: 10 };

const syllables = [
  'ba be car dan el fer gar ha jo ken lu mar nor os pe ram san tor val wil',
  'a an den ez field gan i kins land man na o ris son ta ton ver well y zo',
  '- ber der ga la mer ni ra sa ti va lo ka di ro no mi che pa re',
  '- s n l r t d k m x sky ov ini ez ard ell son ley ing er',
  '- o ev um ix ay ub og ip ut em al oc ith un ek os ad ir af',
].map((line) => line.replace('-', '').split(' '));

/** A name out of syllables by its rank: short names are common. @param rank the name of a column */
function nameOf(rank: string): string {
  const parts = syllables.map(
    (list, place) =>
      `(array[${list.map((one) => `'${one}'`).join(',')}])[1 + (${rank} / ${list.length ** place}) % ${list.length}]`,
  );
  return `initcap(${parts.join(' || ')})`;
}

/** A ZIP code for about every 8,000 voters, as in a county or a state; ten at least. */
export function countZipCodes(voters: number): number {
  return Math.min(40_000, Math.max(10, Math.round(voters / 8_000)));
}

/**
 * Voters numbered 1 to `voters`: birth dates over 82 years, fewer the older they are; one of 30 with two last names, and middle names and
 * suffixes for some.
 *
 * @returns rows of number, firstname, middlename, lastname, suffix, birthdate, zipcode
 */
export function drawVoters(voters: number): string {
  const zipCodes = countZipCodes(voters);
  const { kinds: firsts, evenness: firstEvenness } = firstNames;
  const { kinds: lasts, evenness: lastEvenness } = lastNames;
  // Volatile, so that each draw is made once.
  return `
    select number, ${nameOf('first')} as firstname,
      case when number % 5 = 0 then '' when number % 2 = 0 then chr(65 + middle % 26) else ${nameOf('middle')} end as middlename,
      case when number % 30 = 0 then ${nameOf('last')} || '-' || ${nameOf('middle')} else ${nameOf('last')} end as lastname,
      case when number % 50 = 0 then 'JR' else '' end as suffix,
      current_date - 18 * 365 - age as birthdate, lpad((zip + 10000)::text, 5, '0') as zipcode
    from (select number,
      ${rankOf(firsts, firstEvenness, 'random()')} as first,
      ${rankOf(firsts, firstEvenness, 'random()')} as middle,
      ${rankOf(lasts, lastEvenness, 'random()')} as last,
      floor(365 * 82 * (1 - power(1 - random(), 0.6)))::int as age,
      ${rankOf(zipCodes, zipCodes / 3, 'random()')} as zip
      from generate_series(1, ${voters}) number) drawn`;
}
