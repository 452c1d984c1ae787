import {
  type BallotLayout,
  compact,
  plainText,
  type VoterLayout,
  writeIso,
  writeSlashed,
} from './layout.ts';
import type { BallotNow, Customs, State } from './model.ts';

/** Most voters go to the polls; the office mails what was asked for 40 days before. */
export const onRequest: Customs = {
  ...{ mailsBefore: 40, byMail: 0.7, earlyVotes: 0, hasBoard: false },
};

/** IDs of eight digits, of which the first are zeros. */
export const paddedId = (voter: number): string => String(1_203 + voter * 7).padStart(8, '0');
/** IDs that no spreadsheet shortens. */
export const longId = (voter: number): string => String(104_000_000 + voter * 7);

const ownStatuses: Readonly<Record<State, string>> = {
  requested: 'requested',
  sent: 'sent',
  returned: 'returned',
  accepted: 'accepted',
  curable: 'rejected-curable',
  rejected: 'rejected',
  undeliverable: 'undeliverable',
  replaced: 'reprinted',
  cancelled: 'cancelled',
  'in-person': 'in-person',
};

export const beaconBallots: BallotLayout = {
  of: 'ballots',
  format: 'beacon-ballots',
  state: 'OH',
  customs: onRequest,
  isOneRowPerVoter: false,
  columns: [
    ...['registration_id', 'election', 'ballot_number', 'requested_on', 'sent_on', 'returned_on'],
    ...['status', 'status_on', 'reason_code', 'reason'],
  ],
  text: plainText,
  places: {
    id: 'registration_id',
    days: ['requested_on', 'sent_on', 'status_on', 'returned_on'],
    election: 'election',
    swapped: ['sent_on', 'returned_on'],
    status: 'status',
    accepted: { status: 'accepted' },
    rejected: { status: 'rejected', reason_code: 'S', reason: 'Signature differs' },
  },
  fileName: (day) => `ballots-${day}.csv`,
  idOf: paddedId,
  hasLocalIds: true,
  writeDay: writeIso,
  toRows: (now, office) => [
    {
      registration_id: office.idOf(now.voter),
      election: office.electionNumber,
      ballot_number: String(now.copy),
      requested_on: now.requestedOn,
      sent_on: now.sentOn,
      returned_on: now.returnedOn,
      status: ownStatuses[now.state],
      status_on: now.stateOn,
      reason_code: now.reason === '' ? '' : now.reason.slice(0, 1).toUpperCase(),
      reason: now.reason,
    },
  ],
};

/** Voter Focus has no value for a ballot that was voted in person: its envelope stays outbound. */
const focusStatuses: Readonly<Partial<Record<State, string>>> = {
  requested: 'Requested',
  sent: 'Outbound',
  returned: 'Outbound',
  accepted: 'Accepted',
  curable: 'RejectedCurable',
  rejected: 'Rejected',
  undeliverable: 'Undeliverable',
  replaced: 'Requested',
  'in-person': 'Outbound',
};

export const voterFocusBallots: BallotLayout = {
  of: 'ballots',
  format: 'voter-focus-ballots',
  state: 'FL',
  customs: onRequest,
  isOneRowPerVoter: true,
  columns: [
    ...['ElectionNumber', 'VoterID', 'BallotStatus', 'MailedDate', 'ReturnedDate'],
    ...['VbmRequestPrecinct', 'VbmParty', 'RejectionReason', 'RejectionDescription'],
    ...['IsReinstated', 'IsSignatureRelatedReason'],
  ],
  text: plainText,
  places: {
    id: 'VoterID',
    days: ['MailedDate', 'ReturnedDate'],
    election: 'ElectionNumber',
    swapped: ['MailedDate', 'ReturnedDate'],
    status: 'BallotStatus',
    accepted: { BallotStatus: 'Accepted' },
    rejected: { BallotStatus: 'Rejected', RejectionReason: 'N' },
  },
  fileName: (day) => `BTVbmStatus${day}T0600.csv`,
  idOf: longId,
  hasLocalIds: false,
  writeDay: writeSlashed,
  toRows(now, office) {
    const status = focusStatuses[now.state];
    if (status === undefined) return [];
    const returned = now.state === 'undeliverable' ? now.stateOn : now.returnedOn;
    const isSignature = now.reason === 'signature';
    return [
      {
        ElectionNumber: office.electionNumber,
        VoterID: office.idOf(now.voter),
        BallotStatus: status,
        MailedDate: status === 'Requested' ? '' : writeSlashed(now.sentOn),
        ReturnedDate: writeSlashed(returned),
        VbmRequestPrecinct: String(now.voter % 40),
        VbmParty: 'NPA',
        RejectionReason: isSignature ? 'D' : now.reason === 'late' ? 'L' : '',
        RejectionDescription: isSignature ? 'Signature differs' : '',
        IsReinstated: 'FALSE',
        IsSignatureRelatedReason: isSignature ? 'TRUE' : 'FALSE',
      },
    ];
  },
};

export const beaconVoters: VoterLayout = {
  of: 'voters',
  format: 'beacon-voters',
  state: 'OH',
  columns: [
    ...['registration_id', 'firstname', 'middlename', 'lastname', 'suffix', 'birthdate'],
    ...['address', 'city', 'state', 'zipcode', 'county', 'precinct', 'is_active'],
    'is_confidential',
  ],
  text: plainText,
  places: {
    id: 'registration_id',
    days: ['birthdate'],
    county: 'county',
    swapped: ['firstname', 'lastname'],
    status: 'is_active',
    address: 'address',
    accepted: { is_active: 'true' },
    rejected: { is_active: 'false' },
  },
  fileName: (day) => `voters-${day}.csv`,
  idOf: paddedId,
  hasLocalIds: true,
  writeDay: writeIso,
  toRow: (now, office) => ({
    registration_id: office.idOf(now.voter),
    ...now.name,
    birthdate: now.birthdate,
    address: now.address,
    city: 'Alder Falls',
    state: office.state,
    zipcode: now.zipcode,
    county: office.county,
    precinct: String(now.voter % 40),
    is_active: String(now.isActive),
    is_confidential: now.isConfidential ? 'yes' : '',
  }),
};

export const voterFocusVoters: VoterLayout = {
  of: 'voters',
  format: 'voter-focus-voters',
  state: 'FL',
  columns: [
    ...['Voter ID', 'First Name', 'Last Name', 'Middle Name', 'Birth Date', 'Zip Code'],
    ...['County of Residence', 'Private Home Phone', 'Private Mobile Phone', 'Area Code'],
    ...['Phone Number', 'Email Address', 'Public Email Address'],
  ],
  text: plainText,
  places: {
    id: 'Voter ID',
    days: ['Birth Date'],
    county: 'County of Residence',
    swapped: ['First Name', 'Last Name'],
    status: 'Zip Code',
  },
  fileName: (day) => `MasterVoterFile${compact(day)}.csv`,
  idOf: longId,
  hasLocalIds: false,
  writeDay: writeSlashed,
  toRow: ({ voter, name, birthdate, zipcode }, office) => ({
    'Voter ID': office.idOf(voter),
    'First Name': name.firstname,
    'Last Name': name.lastname,
    'Middle Name': name.middlename,
    'Birth Date': writeSlashed(birthdate),
    'Zip Code': zipcode,
    'County of Residence': office.county,
    'Private Home Phone': `(352) 555-${String(voter % 10_000).padStart(4, '0')}`,
  }),
};

/** The state that a row of a returned ballot is in for offices that list only what has come back. */
export function hasComeBack({ returnedOn, state }: BallotNow): boolean {
  return returnedOn !== '' || state === 'in-person' || state === 'undeliverable';
}
