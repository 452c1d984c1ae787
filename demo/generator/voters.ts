import { type CastMember, cast, type Situation, situations } from '../cast.ts';
import { castRoll } from './cast-roll.ts';
import type { County, Place } from './counties.ts';
import { foldName, inventName } from './names.ts';
import { createRandom, type Random } from './random.ts';

/** A voter on the office's roll. Texts are '' when the office has no value. */
export interface Voter {
  readonly registrationId: string;
  readonly firstname: string;
  readonly middlename: string;
  readonly lastname: string;
  readonly suffix: string;
  /** YYYY-MM-DD */
  readonly birthdate: string;
  readonly address: string;
  readonly city: string;
  /** Five digits, or ZIP+4. */
  readonly zipcode: string;
  readonly precinct: string;
  readonly homePhone: Phone | null;
  readonly mobilePhone: Phone | null;
  readonly publicPhone: Phone | null;
  readonly email: string;
  readonly publicEmail: string;
  readonly languagePreference: string;
  readonly isActive: boolean;
  readonly isConfidential: boolean;
  readonly securityToken: string;
  /** Set for the named voters of `cast.ts`. */
  readonly situation: Situation | null;
}

export interface Phone {
  readonly areaCode: string;
  /** `555-01xx` */
  readonly number: string;
}

/** Invents a county's roll, its cast included, in order of registration ID. */
export function inventRoll(county: County): readonly Voter[] {
  const random = createRandom(`${county.subdomain} roll`);
  const members = situations.filter((situation) => cast[situation].account === county.subdomain);
  const named = members.map((situation) => enrollCast(county, situation));
  const taken = new Set(named.map((voter) => voter.registrationId));
  const identities = new Set(named.map(identityOf));

  const others: Voter[] = [];
  let id = county.firstRegistrationId;
  let household: Household | null = null;
  while (named.length + others.length < county.voters) {
    id += random.between(4, 71);
    const registrationId = String(id).padStart(county.registrationIdLength, '0');
    household = household && random.chance(0.35) ? household : findHousehold(county, random);
    const voter = enroll(county, random, registrationId, household, others.length);
    household = { ...household, lastname: random.chance(0.8) ? voter.lastname : undefined };
    // Only the cast may collide: an accidental double would be a voter nobody planned for.
    if (taken.has(registrationId) || identities.has(identityOf(voter))) continue;
    identities.add(identityOf(voter));
    others.push(voter);
  }
  // Records carried over from an older system are in capitals.
  const written = others.map((voter) => (random.chance(0.07) ? writeInCapitals(voter) : voter));
  return [...named, ...written].sort((a, b) => (a.registrationId < b.registrationId ? -1 : 1));
}

function writeInCapitals(voter: Voter): Voter {
  return {
    ...voter,
    firstname: voter.firstname.toUpperCase(),
    middlename: voter.middlename.toUpperCase(),
    lastname: voter.lastname.toUpperCase(),
    suffix: voter.suffix.toUpperCase(),
  };
}

/** What two voters must share to be ambiguous at sign-in. */
function identityOf(voter: Voter): string {
  const { firstname, lastname, zipcode, birthdate } = voter;
  return [foldName(firstname), foldName(lastname), zipcode.slice(0, 5), birthdate].join('|');
}

interface Household {
  readonly place: Place;
  readonly precinct: string;
  readonly address: string;
  readonly plusFour: string;
  readonly lastname?: string | undefined;
}

const streets = [
  'Heron Way',
  'Bayberry Ln',
  'Old Cannery Rd',
  'Pelican Ct',
  'Cattail Rd',
  'Live Oak Ave',
  'Lantern St',
  'Schooner Dr',
  'Tupelo Ter',
  'Magnolia St',
  'N Dock St',
  'Sawgrass Blvd',
  'Palmetto Loop',
  'Orchard Hill Rd',
];

function findHousehold(county: County, random: Random, zipcode?: string): Household {
  const place =
    county.places.find((candidate) => candidate.zipcode === zipcode) ??
    random.weigh(county.places.map((candidate) => [candidate, candidate.weight] as const));
  const street = `${random.between(2, 4800)} ${random.pick(streets)}`;
  const address = random.chance(0.16) ? `${street}, Apt ${random.between(1, 40)}` : street;
  const plusFour = random.chance(0.08) ? String(random.between(1000, 9899)) : '';
  return { place, precinct: random.pick(place.precincts), address, plusFour };
}

function enroll(
  county: County,
  random: Random,
  registrationId: string,
  household: Household,
  index: number,
): Voter {
  const birthdate = inventBirthdate(random, index);
  const name = inventName(random, Number(birthdate.slice(0, 4)), household.lastname);
  const contact = inventContact(county, random, name.firstname, name.lastname, registrationId);
  const isLake = county.subdomain === 'lake';
  return {
    registrationId,
    ...name,
    birthdate,
    address: household.address,
    city: household.place.city,
    zipcode: [household.place.zipcode, household.plusFour].filter(Boolean).join('-'),
    precinct: household.precinct,
    ...contact,
    languagePreference: random.weigh([
      ['', 42],
      ['english', 42],
      ['spanish', 12],
      ['creole', 2],
      ['vietnamese', 2],
    ]),
    isActive: !random.chance(0.03),
    isConfidential: random.chance(0.012),
    securityToken: isLake && !random.chance(0.02) ? inventToken(random) : '',
    situation: null,
  };
}

function enrollCast(county: County, situation: Situation): Voter {
  const member: CastMember = cast[situation];
  const { typed } = member;
  const entry = castRoll[situation] ?? {};
  // A separate stream for each, so that a new cast member does not change the others or the rest of the roll.
  const random = createRandom(`cast ${situation}`);
  const home = createRandom(`home of ${entry.address ?? situation}`);
  const household = findHousehold(county, home, typed.zipcode);
  const firstname = entry.firstname ?? typed.firstname;
  const lastname = entry.lastname ?? typed.lastname;
  return {
    registrationId: member.registrationId,
    firstname,
    middlename: entry.middlename ?? '',
    lastname,
    suffix: entry.suffix ?? '',
    birthdate: `${typed.birthdate.slice(6)}-${typed.birthdate.slice(0, 5)}`,
    address: entry.address ?? household.address,
    city: household.place.city,
    zipcode: entry.zipPlusFour ? `${typed.zipcode}-${entry.zipPlusFour}` : typed.zipcode,
    precinct: household.precinct,
    ...inventContact(county, random, firstname || lastname, lastname, member.registrationId),
    languagePreference: entry.languagePreference ?? '',
    isActive: entry.isActive ?? true,
    isConfidential: entry.isConfidential ?? false,
    securityToken: member.token ?? '',
    situation,
  };
}

/** Voters from eighteen to a hundred and two; the first two invented are the oldest and the youngest. */
function inventBirthdate(random: Random, index: number): string {
  if (index === 0) return '1924-01-26';
  if (index === 1) return '2008-10-30';
  const age = random.weigh([
    [random.between(18, 29), 17],
    [random.between(30, 44), 23],
    [random.between(45, 64), 31],
    [random.between(65, 79), 22],
    [random.between(80, 99), 7],
  ]);
  // Noon in UTC, so that adding days can never land on the day before.
  const earliest = Date.UTC(2026 - age - 1, 10, 4, 12);
  return new Date(earliest + random.between(0, 364) * 86_400_000).toISOString().slice(0, 10);
}

function inventContact(
  county: County,
  random: Random,
  firstname: string,
  lastname: string,
  registrationId: string,
): Pick<Voter, 'homePhone' | 'mobilePhone' | 'publicPhone' | 'email' | 'publicEmail'> {
  const phone = (share: number): Phone | null => {
    const areaCode = random.weigh(county.areaCodes);
    const line = String(random.between(100, 199)).padStart(4, '0');
    return random.chance(share) ? { areaCode, number: `555-${line}` } : null;
  };
  const ascii = [firstname, lastname].map((name) => foldName(name).toLowerCase());
  const address = `${ascii.join('.').replaceAll(/[^a-z.]/g, '')}.${registrationId.slice(-4)}@example.com`;
  return {
    homePhone: phone(0.08),
    mobilePhone: phone(0.22),
    publicPhone: phone(0.48),
    email: random.chance(0.41) ? address : '',
    publicEmail: random.chance(0.12) ? address : '',
  };
}

// Without letters and digits that look alike.
const tokenAlphabet = [...'ABCDEFGHJKLMNPQRSTVWXYZ23456789'];

function inventToken(random: Random): string {
  const draw = () => Array.from({ length: 4 }, () => random.pick(tokenAlphabet)).join('');
  return `${draw()}-${draw()}`;
}
