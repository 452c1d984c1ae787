import type { BallotStatus } from '../contract/src/statuses.ts';

/** What the office's files lead a voter to see of one ballot. */
export interface ExpectedBallot {
  /** The office's number of the election, as in `elections.json`. */
  readonly election: string;
  readonly status: BallotStatus;
  /** False: among the previous ballots, because the election is over. */
  readonly isCurrent: boolean;
}

/** A demo voter to sign in as. Every one is invented, as is everyone else under `demo/`. */
export interface CastMember {
  readonly account: 'demo' | 'lake';
  /** What this voter is there to show, for the README. */
  readonly shows: string;
  readonly registrationId: string;
  /** What the login form takes. `birthdate` is MM-DD-YYYY. */
  readonly typed: {
    readonly firstname: string;
    readonly lastname: string;
    readonly zipcode: string;
    readonly birthdate: string;
  };
  /** True: the form asks for the voter ID, because another voter matches too. */
  readonly isAmbiguous?: true;
  /** The security token in the clear, where the account demands one. */
  readonly token?: string;
  /** False: the answer is that of a voter nobody knows. */
  readonly signsIn: boolean;
  /** Newest election first. */
  readonly ballots: readonly ExpectedBallot[];
}

const special = (status: BallotStatus): ExpectedBallot => ({
  election: '217',
  status,
  isCurrent: true,
});
const town = (status: BallotStatus): ExpectedBallot => ({
  election: '218',
  status,
  isCurrent: true,
});
const general = (status: BallotStatus): ExpectedBallot => ({
  election: '216',
  status,
  isCurrent: false,
});
const primary = (status: BallotStatus): ExpectedBallot => ({
  election: '213',
  status,
  isCurrent: false,
});
const lakeSpecial = (status: BallotStatus): ExpectedBallot => ({
  election: '65',
  status,
  isCurrent: true,
});
const lakeGeneral = (status: BallotStatus): ExpectedBallot => ({
  election: '64',
  status,
  isCurrent: false,
});

/** One named voter per situation; `demo.test.ts` proves that the files hold each of them. */
export const cast = {
  accepted: {
    account: 'demo',
    shows: 'ballot accepted, two previous ballots',
    registrationId: '990112047',
    typed: {
      firstname: 'Margaret',
      lastname: 'Whitfield',
      zipcode: '34811',
      birthdate: '03-14-1958',
    },
    signsIn: true,
    ballots: [special('accepted'), general('accepted'), primary('accepted')],
  },
  sent: {
    account: 'demo',
    shows: 'ballot on its way to the voter',
    registrationId: '990118263',
    typed: { firstname: 'Darnell', lastname: 'Pruitt', zipcode: '34812', birthdate: '09-02-1987' },
    signsIn: true,
    ballots: [special('sent'), general('accepted')],
  },
  returned: {
    account: 'demo',
    shows: 'envelope back at the office, no decision yet',
    registrationId: '990121906',
    typed: { firstname: 'Soledad', lastname: 'Vega', zipcode: '34818', birthdate: '11-23-1979' },
    signsIn: true,
    ballots: [special('returned')],
  },
  rejectedCurable: {
    account: 'demo',
    shows: 'signature missing, can still be put right',
    registrationId: '990123318',
    typed: {
      firstname: 'Hannah',
      lastname: 'Lindqvist',
      zipcode: '34821',
      birthdate: '06-30-1994',
    },
    signsIn: true,
    ballots: [special('rejected-curable'), general('accepted')],
  },
  rejected: {
    account: 'demo',
    shows: 'ballot rejected',
    registrationId: '990125570',
    typed: { firstname: 'Calvin', lastname: 'Osgood', zipcode: '34824', birthdate: '01-19-1966' },
    signsIn: true,
    ballots: [special('rejected'), general('accepted')],
  },
  undeliverable: {
    account: 'demo',
    shows: 'ballot came back from the post office',
    registrationId: '990127741',
    typed: { firstname: 'Tuyet', lastname: 'Lam', zipcode: '34812', birthdate: '08-08-1990' },
    signsIn: true,
    ballots: [special('undeliverable')],
  },
  requested: {
    account: 'demo',
    shows: 'ballot asked for, not mailed yet',
    registrationId: '990129034',
    typed: { firstname: 'Priya', lastname: 'Raman', zipcode: '34811', birthdate: '04-05-2003' },
    signsIn: true,
    ballots: [special('requested')],
  },
  reprinted: {
    account: 'demo',
    shows: 'first ballot lost in the mail, a replacement mailed',
    registrationId: '990130288',
    typed: {
      firstname: 'Winston',
      lastname: 'Baptiste',
      zipcode: '34818',
      birthdate: '12-11-1971',
    },
    signsIn: true,
    ballots: [special('reprinted')],
  },
  cured: {
    account: 'demo',
    shows: 'signature put right, then accepted',
    registrationId: '990131455',
    typed: {
      firstname: 'Eleanor',
      lastname: 'Castellano',
      zipcode: '34821',
      birthdate: '10-27-1948',
    },
    signsIn: true,
    ballots: [special('accepted')],
  },
  reversed: {
    account: 'demo',
    shows: 'accepted, then rejected: a status may move backwards',
    registrationId: '990132609',
    typed: {
      firstname: 'Theodore',
      lastname: 'Kessler',
      zipcode: '34824',
      birthdate: '05-16-1983',
    },
    signsIn: true,
    ballots: [special('rejected')],
  },
  backToSent: {
    account: 'demo',
    shows: 'accepted by mistake, set back to sent',
    registrationId: '990133880',
    typed: { firstname: 'Naomi', lastname: 'Tillery', zipcode: '34812', birthdate: '02-03-1976' },
    signsIn: true,
    ballots: [special('sent')],
  },
  unknownStatus: {
    account: 'demo',
    shows:
      "the office's file says Canvassing, which no one has explained: the last known status stays",
    registrationId: '990135027',
    typed: { firstname: 'Gloria', lastname: 'Mbeki', zipcode: '34811', birthdate: '07-21-1962' },
    signsIn: true,
    ballots: [special('returned')],
  },
  missingRow: {
    account: 'demo',
    shows: 'row gone from the newest file: nothing is taken back',
    registrationId: '990136194',
    typed: { firstname: 'Leonard', lastname: 'Voss', zipcode: '34818', birthdate: '03-31-1955' },
    signsIn: true,
    ballots: [special('accepted')],
  },
  twoBallots: {
    account: 'demo',
    shows: 'two current ballots in two elections',
    registrationId: '990137561',
    typed: {
      firstname: 'Rosalind',
      lastname: 'Achterberg',
      zipcode: '34815',
      birthdate: '09-18-1969',
    },
    signsIn: true,
    ballots: [town('sent'), special('accepted'), general('accepted')],
  },
  pastOnly: {
    account: 'demo',
    shows: 'previous ballots only, one of them rejected as late',
    registrationId: '990138702',
    typed: { firstname: 'Everett', lastname: 'Coombs', zipcode: '34824', birthdate: '11-07-1944' },
    signsIn: true,
    ballots: [general('rejected'), primary('accepted')],
  },
  none: {
    account: 'demo',
    shows: 'no mail ballot at all',
    registrationId: '990139933',
    typed: { firstname: 'Bianca', lastname: 'Falcone', zipcode: '34811', birthdate: '08-15-1998' },
    signsIn: true,
    ballots: [],
  },
  ambiguousFirst: {
    account: 'demo',
    shows: 'another voter matches: the voter ID is asked for',
    registrationId: '990141058',
    typed: { firstname: 'Robert', lastname: 'Johnson', zipcode: '34812', birthdate: '05-05-1961' },
    isAmbiguous: true,
    signsIn: true,
    ballots: [special('accepted')],
  },
  ambiguousSecond: {
    account: 'demo',
    shows: 'the other voter of the same name, birth date and ZIP',
    registrationId: '990149921',
    typed: { firstname: 'Robert', lastname: 'Johnson', zipcode: '34812', birthdate: '05-05-1961' },
    isAmbiguous: true,
    signsIn: true,
    ballots: [special('sent')],
  },
  ambiguousAccent: {
    account: 'demo',
    shows: 'María García and Maria Garcia, alike once accents are set aside',
    registrationId: '990142215',
    typed: { firstname: 'Maria', lastname: 'Garcia', zipcode: '34818', birthdate: '12-12-1985' },
    isAmbiguous: true,
    signsIn: true,
    ballots: [special('accepted')],
  },
  ambiguousPlain: {
    account: 'demo',
    shows: 'the same, registered without accents',
    registrationId: '990150377',
    typed: { firstname: 'María', lastname: 'García', zipcode: '34818', birthdate: '12-12-1985' },
    isAmbiguous: true,
    signsIn: true,
    ballots: [special('undeliverable')],
  },
  twin: {
    account: 'demo',
    shows:
      "a twin: same last name, ZIP and birth date as the next voter, yet nobody else's first name",
    registrationId: '990143366',
    typed: { firstname: 'Jaden', lastname: 'Mercer', zipcode: '34821', birthdate: '02-14-2005' },
    signsIn: true,
    ballots: [special('sent')],
  },
  twinBrother: {
    account: 'demo',
    shows: 'the other twin',
    registrationId: '990143374',
    typed: { firstname: 'Jayden', lastname: 'Mercer', zipcode: '34821', birthdate: '02-14-2005' },
    signsIn: true,
    ballots: [special('accepted')],
  },
  noFirstName: {
    account: 'demo',
    shows: 'one name only: the first name stays empty',
    registrationId: '990144519',
    typed: { firstname: '', lastname: 'Wibisana', zipcode: '34811', birthdate: '03-19-1972' },
    signsIn: true,
    ballots: [special('sent')],
  },
  accent: {
    account: 'demo',
    shows: 'José Núñez, typed without accents',
    registrationId: '990145706',
    typed: { firstname: 'jose', lastname: 'NUNEZ', zipcode: '34824', birthdate: '10-01-1989' },
    signsIn: true,
    ballots: [special('accepted'), general('accepted')],
  },
  hyphen: {
    account: 'demo',
    shows: 'Mary-Kate Delacroix-Boudreaux, typed with spaces',
    registrationId: '990146873',
    typed: {
      firstname: 'Mary Kate',
      lastname: 'Delacroix Boudreaux',
      zipcode: '34815',
      birthdate: '07-04-1992',
    },
    signsIn: true,
    ballots: [town('sent'), special('sent')],
  },
  apostrophe: {
    account: 'demo',
    shows: "Siobhan O'Brien on the roll, typed with a phone's curly apostrophe",
    registrationId: '990147910',
    typed: { firstname: 'Siobhan', lastname: 'O’Brien', zipcode: '34812', birthdate: '04-22-1980' },
    signsIn: true,
    ballots: [special('returned')],
  },
  curlyApostrophe: {
    account: 'demo',
    shows: 'D’Angelo with a curly apostrophe on the roll, typed without any',
    registrationId: '990148655',
    typed: { firstname: 'Anthony', lastname: 'DAngelo', zipcode: '34821', birthdate: '01-30-1974' },
    signsIn: true,
    ballots: [special('sent'), general('accepted')],
  },
  longName: {
    account: 'demo',
    shows: 'a last name of sixty characters',
    registrationId: '990151203',
    typed: {
      firstname: 'Maximiliana-Theodora',
      lastname: 'Konstantinopoulou-Vandersteenhoven-Wolfensbergerhausen-Abreu',
      zipcode: '34815',
      birthdate: '06-06-1951',
    },
    signsIn: true,
    ballots: [special('accepted')],
  },
  leapDay: {
    account: 'demo',
    shows: 'born on 29 February',
    registrationId: '990152418',
    typed: {
      firstname: 'Beatrix',
      lastname: 'Holloway',
      zipcode: '34811',
      birthdate: '02-29-1952',
    },
    signsIn: true,
    ballots: [special('sent')],
  },
  inTransit: {
    account: 'demo',
    shows: 'the post office has scanned the envelope on its way to the voter',
    registrationId: '990153110',
    typed: { firstname: 'Mabel', lastname: 'Okafor', zipcode: '34812', birthdate: '05-21-1968' },
    signsIn: true,
    ballots: [special('in-transit')],
  },
  delivered: {
    account: 'demo',
    shows: 'the post office expects to have delivered the ballot',
    registrationId: '990154231',
    typed: { firstname: 'Russell', lastname: 'Hartung', zipcode: '34818', birthdate: '10-09-1957' },
    signsIn: true,
    ballots: [special('delivered')],
  },
  returnInTransit: {
    account: 'demo',
    shows: 'the post office has scanned the envelope on its way back',
    registrationId: '990155339',
    typed: { firstname: 'Ingrid', lastname: 'Solano', zipcode: '34821', birthdate: '01-12-1991' },
    signsIn: true,
    ballots: [special('return-in-transit')],
  },
  token: {
    account: 'lake',
    shows: 'the security token is asked for; ballot accepted',
    registrationId: '00412039',
    typed: { firstname: 'Adaeze', lastname: 'Okonkwo', zipcode: '34501', birthdate: '06-02-1984' },
    token: 'K7QM-3XPD',
    signsIn: true,
    ballots: [lakeSpecial('accepted'), lakeGeneral('accepted')],
  },
  tokenSent: {
    account: 'lake',
    shows: 'ballot on its way; the suffix Jr is not typed',
    registrationId: '00413502',
    typed: { firstname: 'Luis', lastname: 'Marin', zipcode: '34507', birthdate: '12-30-1981' },
    token: 'T4WC-9HRN',
    signsIn: true,
    ballots: [lakeSpecial('sent'), lakeGeneral('accepted')],
  },
  tokenFather: {
    account: 'lake',
    shows: 'his father of the same name and address, born on another day',
    registrationId: '00402117',
    typed: { firstname: 'Luis', lastname: 'Marin', zipcode: '34507', birthdate: '08-17-1953' },
    token: 'V8JX-2MKF',
    signsIn: true,
    ballots: [lakeSpecial('rejected-curable')],
  },
  tokenAmbiguousFirst: {
    account: 'lake',
    shows: 'first the voter ID is asked for, then the token',
    registrationId: '00414420',
    typed: { firstname: 'Linda', lastname: 'Nguyen', zipcode: '34510', birthdate: '10-10-1970' },
    isAmbiguous: true,
    token: 'B6RT-7YQA',
    signsIn: true,
    ballots: [lakeSpecial('returned')],
  },
  tokenAmbiguousSecond: {
    account: 'lake',
    shows: 'the other voter of the same name, birth date and ZIP',
    registrationId: '00418836',
    typed: { firstname: 'Linda', lastname: 'Nguyen', zipcode: '34510', birthdate: '10-10-1970' },
    isAmbiguous: true,
    token: 'H3ZN-5DWE',
    signsIn: true,
    ballots: [lakeSpecial('undeliverable')],
  },
  tokenPastOnly: {
    account: 'lake',
    shows: 'one previous ballot, none current',
    registrationId: '00415673',
    typed: {
      firstname: 'Harriet',
      lastname: 'Sorensen',
      zipcode: '34514',
      birthdate: '05-29-1939',
    },
    token: 'M9GK-4CXV',
    signsIn: true,
    ballots: [lakeGeneral('accepted')],
  },
  inactive: {
    account: 'lake',
    shows: 'no longer active on the roll: cannot sign in',
    registrationId: '00416908',
    typed: {
      firstname: 'Gordon',
      lastname: 'Applewhite',
      zipcode: '34501',
      birthdate: '09-09-1947',
    },
    token: 'P2HS-6FTJ',
    signsIn: false,
    ballots: [],
  },
  confidential: {
    account: 'lake',
    shows: 'record protected by law: cannot sign in',
    registrationId: '00417754',
    typed: {
      firstname: 'Simone',
      lastname: 'Archambault',
      zipcode: '34507',
      birthdate: '02-11-1986',
    },
    token: 'W5DQ-8RBL',
    signsIn: false,
    ballots: [],
  },
} as const satisfies Record<string, CastMember>;

export type Situation = keyof typeof cast;
export const situations = Object.keys(cast) as readonly Situation[];

/** The voters that the start line and the README name first, one per account. */
export const firstToTry = { demo: 'accepted', lake: 'token' } as const satisfies Record<
  CastMember['account'],
  Situation
>;
