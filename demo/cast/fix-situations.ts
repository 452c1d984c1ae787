import { saltmarsh, special } from './elections.ts';
import type { CastMember } from './member.ts';

/** Envelopes to fix: what can be wrong, and how much is known of the time that is left. */
export const fixSituations = {
  fixSignature: {
    account: 'demo',
    shows: 'the signature looks different, can still be fixed',
    registrationId: '990158663',
    typed: {
      firstname: 'Bertrand',
      lastname: 'Oyelaran',
      zipcode: '34811',
      birthdate: '07-02-1951',
    },
    signsIn: true,
    ballots: [special('rejected-curable')],
  },
  fixId: {
    account: 'demo',
    shows: 'the ID number is missing: no rule is known, so the voter is to ask the office today',
    registrationId: '990159771',
    typed: {
      firstname: 'Philippa',
      lastname: 'Dunmore',
      zipcode: '34812',
      birthdate: '11-11-1993',
    },
    signsIn: true,
    ballots: [special('rejected-curable')],
  },
  fixIncomplete: {
    account: 'demo',
    shows: 'something on the envelope is not filled in',
    registrationId: '990160889',
    typed: {
      firstname: 'Cosmo',
      lastname: 'Bellweather',
      zipcode: '34818',
      birthdate: '03-30-1940',
    },
    signsIn: true,
    ballots: [special('rejected-curable')],
  },
  fixWrongEnvelope: {
    account: 'demo',
    shows: 'the ballot was in the wrong envelope',
    registrationId: '990161997',
    typed: { firstname: 'Anneliese', lastname: 'Quick', zipcode: '34821', birthdate: '08-19-1989' },
    signsIn: true,
    ballots: [special('rejected-curable')],
  },
  fixOther: {
    account: 'demo',
    shows: 'a problem with the envelope that the office has not named',
    registrationId: '990163006',
    typed: {
      firstname: 'Thaddeus',
      lastname: 'Moncrieff',
      zipcode: '34824',
      birthdate: '12-27-1970',
    },
    signsIn: true,
    ballots: [special('rejected-curable')],
  },
  fixRecorded: {
    account: 'demo',
    shows: 'the problem is fixed, and the office has not decided again',
    registrationId: '990164114',
    typed: {
      firstname: 'Marisol',
      lastname: 'Ferreira',
      zipcode: '34811',
      birthdate: '06-14-1999',
    },
    signsIn: true,
    ballots: [special('returned')],
  },
  fixOver: {
    account: 'demo',
    shows: 'the time to fix the envelope has ended',
    registrationId: '990165223',
    typed: { firstname: 'Gideon', lastname: 'Lachance', zipcode: '34818', birthdate: '02-08-1955' },
    signsIn: true,
    ballots: [saltmarsh('rejected-curable')],
  },
} as const satisfies Record<string, CastMember>;

/** The other statuses that state laws ask for. */
export const lawSituations = {
  counted: {
    account: 'demo',
    shows: 'ballot counted',
    registrationId: '990166331',
    typed: {
      firstname: 'Henrietta',
      lastname: 'Blossom',
      zipcode: '34818',
      birthdate: '09-09-1962',
    },
    signsIn: true,
    ballots: [saltmarsh('counted')],
  },
  notCounted: {
    account: 'demo',
    shows: "ballot not counted, with the office's reason",
    registrationId: '990167440',
    typed: {
      firstname: 'Lucius',
      lastname: 'Applegarth',
      zipcode: '34818',
      birthdate: '01-05-1984',
    },
    signsIn: true,
    ballots: [saltmarsh('not-counted')],
  },
  applicationReceived: {
    account: 'demo',
    shows: 'application for a mail ballot received, not decided',
    registrationId: '990168558',
    typed: { firstname: 'Oriana', lastname: 'Stepanek', zipcode: '34811', birthdate: '10-21-2004' },
    signsIn: true,
    ballots: [special('application-received')],
  },
  applicationIncomplete: {
    account: 'demo',
    shows: "application incomplete, with the office's reason",
    registrationId: '990169667',
    typed: { firstname: 'Barnaby', lastname: 'Kuroda', zipcode: '34812', birthdate: '05-03-1978' },
    signsIn: true,
    ballots: [special('application-incomplete')],
  },
  applicationApproved: {
    account: 'demo',
    shows: 'application approved, ballot not mailed yet',
    registrationId: '990170775',
    typed: {
      firstname: 'Clementine',
      lastname: 'Abara',
      zipcode: '34821',
      birthdate: '04-26-1991',
    },
    signsIn: true,
    ballots: [special('application-approved')],
  },
  applicationRefused: {
    account: 'demo',
    shows: "application refused, with the office's reason",
    registrationId: '990171884',
    typed: {
      firstname: 'Fergus',
      lastname: 'Ellsworthy',
      zipcode: '34824',
      birthdate: '03-17-1966',
    },
    signsIn: true,
    ballots: [special('application-refused')],
  },
} as const satisfies Record<string, CastMember>;
