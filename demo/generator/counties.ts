/** An election as `beacon election set` expects it. */
export interface Election {
  readonly number: string;
  readonly name: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly active: boolean;
  /** When a ballot must be back, as the office announces it. */
  readonly return_deadline?: {
    readonly rule: 'received' | 'postmarked';
    /** YYYY-MM-DD */
    readonly date: string;
    /** HH:MM; null for the end of the day. */
    readonly time: string | null;
    readonly place: string;
  };
}

const harborOffice = 'Harbor County Elections Office, 100 Pier Street, Port Alden';

/** What the office writes to its signed-in voters about the site. */
export interface ReleaseNote {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly html: string;
}

export interface Place {
  readonly city: string;
  readonly zipcode: string;
  /** Share of the county's voters. */
  readonly weight: number;
  readonly precincts: readonly string[];
}

export interface County {
  readonly subdomain: 'demo' | 'lake';
  readonly county: string;
  readonly voters: number;
  readonly firstRegistrationId: number;
  readonly registrationIdLength: number;
  readonly areaCodes: readonly (readonly [string, number])[];
  readonly places: readonly Place[];
  readonly elections: readonly Election[];
  readonly releaseNotes: readonly ReleaseNote[];
}

// The ZIP codes begin with 345 and 348, which the post office has not given out, and telephone numbers
// are the 555-01xx that are kept for fiction.
export const harbor: County = {
  subdomain: 'demo',
  county: 'Harbor',
  voters: 1418,
  firstRegistrationId: 990104010,
  registrationIdLength: 9,
  areaCodes: [
    ['850', 8],
    ['448', 1],
    ['904', 1],
  ],
  places: [
    { city: 'Port Alden', zipcode: '34811', weight: 26, precincts: ['1', '2', '3', '4', '5', '6'] },
    { city: 'Port Alden', zipcode: '34812', weight: 22, precincts: ['7', '8', '9', '10', '11'] },
    { city: 'Gull Point', zipcode: '34815', weight: 9, precincts: ['12', '13'] },
    { city: 'Saltmarsh', zipcode: '34818', weight: 17, precincts: ['14', '15', '16', '17'] },
    { city: 'Cutlers Landing', zipcode: '34821', weight: 15, precincts: ['18', '19', '20'] },
    { city: 'Mangrove Bay', zipcode: '34824', weight: 11, precincts: ['21', '22', '23'] },
  ],
  elections: [
    { number: '213', name: '2026 Primary Election', date: '2026-08-18', active: false },
    { number: '216', name: '2026 General Election', date: '2026-11-03', active: false },
    {
      number: '217',
      name: 'Harbor County Special Election',
      date: '2026-12-08',
      active: true,
      return_deadline: { rule: 'received', date: '2026-12-08', time: '19:00', place: harborOffice },
    },
    {
      number: '218',
      name: 'Gull Point Municipal Election',
      date: '2026-12-15',
      active: true,
      return_deadline: { rule: 'received', date: '2026-12-15', time: '19:00', place: harborOffice },
    },
    {
      number: '219',
      name: 'Saltmarsh Town Election',
      date: '2026-11-17',
      active: true,
      return_deadline: { rule: 'received', date: '2026-11-17', time: '19:00', place: harborOffice },
    },
  ],
  releaseNotes: [
    {
      date: '2026-11-02',
      html: '<p>You can now see by when your ballot must be back, and add that date to your calendar.</p>',
    },
  ],
};

export const silverLake: County = {
  subdomain: 'lake',
  county: 'Silver Lake',
  voters: 600,
  firstRegistrationId: 400210,
  registrationIdLength: 8,
  areaCodes: [
    ['352', 9],
    ['386', 1],
  ],
  places: [
    { city: 'Alder Falls', zipcode: '34501', weight: 38, precincts: ['001', '002', '003', '004'] },
    { city: 'Reed Landing', zipcode: '34507', weight: 27, precincts: ['005', '006', '007'] },
    { city: 'Cypress Hollow', zipcode: '34510', weight: 20, precincts: ['008', '009'] },
    { city: 'Heronsmere', zipcode: '34514', weight: 15, precincts: ['010', '011'] },
  ],
  elections: [
    { number: '64', name: '2026 General Election', date: '2026-11-03', active: false },
    {
      number: '65',
      name: 'Silver Lake School Board Election',
      date: '2026-12-08',
      active: true,
      return_deadline: { rule: 'postmarked', date: '2026-12-08', time: null, place: '' },
    },
  ],
  releaseNotes: [],
};

export const municipalZipcode = '34815';
