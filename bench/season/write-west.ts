import { addDays } from '../../demo/generator/calendar.ts';
import { type BallotLayout, compact, plainText, writeSlashed } from './layout.ts';
import type { Customs, State } from './model.ts';
import { hasComeBack, longId, onRequest, paddedId } from './write-own.ts';

/** Every voter gets a ballot. */
const byMail: Customs = { mailsBefore: 18, byMail: 0.95, earlyVotes: 0, hasBoard: false };
const plainId = (voter: number): string => String(601_203 + voter * 7);

const waStatuses: Readonly<Partial<Record<State, readonly [status: string, reason: string]>>> = {
  returned: ['Received', ''],
  accepted: ['Accepted', ''],
  curable: ['Rejected', 'Signature Does Not Match'],
  rejected: ['Rejected', 'Signature Does Not Match'],
  'in-person': ['Accepted', ''],
};

/** Lists the ballots that have come back. */
export const waBallots: BallotLayout = {
  of: 'ballots',
  format: 'wa-ballots',
  state: 'WA',
  customs: byMail,
  isOneRowPerVoter: false,
  columns: [
    ...['Ballot ID', 'Voter ID', 'County', 'First Name', 'Last Name', 'Gender', 'Election'],
    ...['Ballot Status', 'Challenge Reason', 'Received Date', 'Address', 'City', 'State', 'Zip'],
    ...['Country', 'Split', 'Precinct', 'Return Method', 'Return Location', 'Party'],
  ],
  text: { ...plainText, trailingFields: 1, encoding: 'utf8-bom' },
  places: {
    id: 'Voter ID',
    days: ['Received Date'],
    election: 'Election',
    county: 'County',
    swapped: ['Received Date', 'Address'],
    status: 'Ballot Status',
    accepted: { 'Ballot Status': 'Accepted' },
    rejected: { 'Ballot Status': 'Rejected', 'Challenge Reason': 'Too Late' },
  },
  fileName: (day) => `Statewide${day}.csv`,
  idOf: paddedId,
  hasLocalIds: false,
  writeDay: (day) => `${writeSlashed(day)} 12:00:00 AM`,
  toRows(now, office) {
    const found = hasComeBack(now) ? waStatuses[now.state] : undefined;
    if (!found) return [];
    const [status, reason] = found;
    const isInPerson = now.state === 'in-person';
    return [
      {
        'Ballot ID': String(70_000_000 + now.voter * 10 + now.copy),
        'Voter ID': office.idOf(now.voter),
        County: office.county,
        Election: office.electionNumber,
        'Ballot Status': status,
        'Challenge Reason': now.reason === 'late' ? 'Too Late' : reason,
        'Received Date': `${writeSlashed(isInPerson ? now.stateOn : now.returnedOn)} 12:00:00 AM`,
        Address: '1 Heron Way, Apt 2',
        'Return Method': isInPerson ? 'In Person' : now.voter % 2 === 0 ? 'Drop Box' : 'Mail',
      },
    ];
  },
};

/** All ballots from the day of mailing on; says what came back, and not what became of it. */
export const coCe068: BallotLayout = {
  of: 'ballots',
  format: 'co-ce-068',
  state: 'CO',
  customs: byMail,
  isOneRowPerVoter: true,
  columns: [
    ...['VOTER_ID', 'FIRST_NAME', 'LAST_NAME', 'YOB', 'GENDER', 'COUNTY', 'PRECINCT', 'PARTY'],
    ...['RES_ADDRESS', 'RES_CITY', 'RES_STATE', 'RES_ZIP', 'MAIL_BALLOT_RECEIVE_DATE'],
    ...['IN_PERSON_VOTE_DATE', 'VOTE_METHOD', 'VOTED_PARTY'],
  ],
  text: { ...plainText, encoding: 'ascii' },
  places: {
    id: 'VOTER_ID',
    days: ['MAIL_BALLOT_RECEIVE_DATE', 'IN_PERSON_VOTE_DATE'],
    county: 'COUNTY',
    swapped: ['MAIL_BALLOT_RECEIVE_DATE', 'IN_PERSON_VOTE_DATE'],
    status: 'MAIL_BALLOT_RECEIVE_DATE',
  },
  fileName: (day) => `CE-068_Voters_With_Ballots_${compact(day)}.txt`,
  idOf: plainId,
  hasLocalIds: false,
  writeDay: writeSlashed,
  toRows(now, office) {
    if (now.state === 'cancelled') return [];
    const isInPerson = now.state === 'in-person';
    return [
      {
        VOTER_ID: office.idOf(now.voter),
        FIRST_NAME: 'INVENTED',
        LAST_NAME: 'VOTER',
        COUNTY: office.county,
        PRECINCT: String(now.voter % 40),
        MAIL_BALLOT_RECEIVE_DATE: writeSlashed(now.returnedOn),
        IN_PERSON_VOTE_DATE: isInPerson ? writeSlashed(now.stateOn) : '',
        VOTE_METHOD: isInPerson ? 'In Person' : now.returnedOn === '' ? '' : 'Mail',
      },
    ];
  },
};

export const nvClark: BallotLayout = {
  of: 'ballots',
  format: 'nv-clark',
  state: 'NV',
  customs: { ...byMail, mailsBefore: 20 },
  isOneRowPerVoter: true,
  columns: [
    ...['IDNUMBER', 'NAME', 'STREET_NUMBER', 'STREET_PREDIRECTION', 'STREET_NAME', 'STREET_TYPE'],
    ...['UNIT', 'CITY', 'STATE', 'ZIP', 'PRECINCT', 'VOTER_REG_PARTY', 'BALLOT_PARTY'],
    ...['ELECTION_CODE', 'REQUEST_SOURCE', 'REQUEST_DATE', 'BALLOT_MAIL_DATE'],
    ...['BALLOT_RECEIVE_DATE', 'RETURN_CODE'],
  ],
  text: { ...plainText, encoding: 'latin1' },
  places: {
    id: 'IDNUMBER',
    days: ['REQUEST_DATE', 'BALLOT_MAIL_DATE', 'BALLOT_RECEIVE_DATE'],
    election: 'ELECTION_CODE',
    swapped: ['BALLOT_MAIL_DATE', 'BALLOT_RECEIVE_DATE'],
    status: 'BALLOT_RECEIVE_DATE',
  },
  fileName: (day) => `mb_${compact(day)}.csv`,
  idOf: plainId,
  hasLocalIds: true,
  writeDay: writeSlashed,
  toRows(now, office) {
    if (now.state === 'cancelled') return [];
    const codes: Partial<Record<State, string>> = { curable: 'SG', rejected: 'RJ' };
    return [
      {
        IDNUMBER: office.idOf(now.voter),
        NAME: 'PEÑA, INVENTED',
        STREET_NUMBER: '1',
        STREET_NAME: 'HERON',
        STREET_TYPE: 'WAY',
        CITY: 'LAS VEGAS',
        STATE: 'NV',
        ELECTION_CODE: office.electionNumber,
        REQUEST_SOURCE: 'M',
        REQUEST_DATE: writeSlashed(now.requestedOn),
        BALLOT_MAIL_DATE: writeSlashed(now.sentOn),
        BALLOT_RECEIVE_DATE: writeSlashed(now.returnedOn),
        RETURN_CODE: codes[now.state] ?? '',
      },
    ];
  },
};

/** Letters of the rule: C is cancelled, V returned; the others are in no source. */
const flLetters: Readonly<Partial<Record<State, string>>> = {
  ...{ requested: 'N', sent: 'S', cancelled: 'C', rejected: 'R', undeliverable: 'U' },
};
const flColumns =
  `RecordType CountyId FVRSVoterIdNumber FVRSElectionNumber ElectionDate ElectionName LastAbsRecordChangeDate
  AbsenteeRequestStatus AbsReqDate AbsDeliveryDate AbsReturnDate AbsReqCanceledDate AbsMilitary AbsOverseasFlag
  AbsMilitaryDependent Precinct PrecinctSplit CongressionalDistrict SenateDistrict HouseDistrict
  CountyCommissionDistrict SchoolBoardDistrict OtherDistricts AbsParty VoterName AbsReqMailingAddressLine1
  AbsReqMailingAddressLine2 AbsReqMailingAddressLine3 AbsReqMailingAddressCity AbsReqMailingAddressState
  AbsReqMailingAddressZip AbsReqMailingAddressCountry AbsReqE-mailAddress AbsReqFaxnumber`.split(
    /\s+/,
  );

export const flRequests: BallotLayout = {
  of: 'ballots',
  format: 'fl-1s-2-043',
  state: 'FL',
  customs: onRequest,
  isOneRowPerVoter: true,
  columns: flColumns,
  text: { ...plainText, delimiter: '\t', quotes: 'none', hasHeader: false },
  places: {
    id: 'FVRSVoterIdNumber',
    days: ['AbsReqDate', 'AbsDeliveryDate', 'AbsReturnDate'],
    election: 'FVRSElectionNumber',
    swapped: ['AbsDeliveryDate', 'AbsReturnDate'],
    status: 'AbsenteeRequestStatus',
    accepted: { AbsenteeRequestStatus: 'V' },
    rejected: { AbsenteeRequestStatus: 'C', AbsReqCanceledDate: '10/01/2026' },
  },
  fileName: (day) => `ADA_AbStat_${compact(day)}.txt`,
  idOf: longId,
  hasLocalIds: false,
  writeDay: writeSlashed,
  toRows: (now, office) => [
    {
      RecordType: 'AbStat',
      CountyId: office.county.slice(0, 3).toUpperCase(),
      FVRSVoterIdNumber: office.idOf(now.voter),
      FVRSElectionNumber: office.electionNumber,
      ElectionDate: writeSlashed(office.electionDate),
      LastAbsRecordChangeDate: writeSlashed(addDays(now.stateOn, 1)),
      AbsenteeRequestStatus: flLetters[now.state] ?? (now.returnedOn === '' ? 'S' : 'V'),
      AbsReqDate: writeSlashed(now.requestedOn),
      AbsDeliveryDate: writeSlashed(now.sentOn),
      AbsReturnDate: writeSlashed(now.returnedOn),
      AbsReqCanceledDate: now.state === 'cancelled' ? writeSlashed(now.stateOn) : '',
      VoterName: 'Voter, Invented',
    },
  ],
};

const meStatuses: Readonly<Partial<Record<State, readonly [status: string, reason: string]>>> = {
  accepted: ['ACC', ''],
  curable: ['PEN', ''],
  rejected: ['REJ', 'SNR'],
  undeliverable: ['REJ', 'BND'],
  replaced: ['REJ', 'OTH'],
  cancelled: ['REJ', 'OTH'],
  'in-person': ['ACC', ''],
};

export const meAbsentee: BallotLayout = {
  of: 'ballots',
  format: 'me-absentee',
  state: 'ME',
  customs: { ...onRequest, mailsBefore: 30, byMail: 0.4 },
  isOneRowPerVoter: false,
  columns: [
    ...['RES MUNICIPALITY', 'DES', 'Voter Record #', 'P', 'IB', 'W-P', 'CG', 'SS', 'SR', 'DA'],
    ...['CC', 'Ballot Type', 'Req Type', 'Req Date', 'Issued Type', 'Issued Date', 'Rec Type'],
    ...['Rec Date', 'Rec Time', 'DUP', 'Status', 'CH', 'REJ'],
  ],
  text: { ...plainText, delimiter: '|', quotes: 'none' },
  places: {
    id: 'Voter Record #',
    days: ['Req Date', 'Issued Date', 'Rec Date'],
    swapped: ['Issued Date', 'Rec Date'],
    status: 'Status',
    accepted: { Status: 'ACC' },
    rejected: { Status: 'REJ', REJ: 'SNR' },
  },
  fileName: (day) => `absentee-voter-file-${compact(day)}.txt`,
  idOf: plainId,
  hasLocalIds: false,
  writeDay: writeSlashed,
  toRows(now, office) {
    const isInPerson = now.state === 'in-person';
    const [status, reason] = meStatuses[now.state] ?? ['', ''];
    return [
      {
        'RES MUNICIPALITY': 'ALDER FALLS',
        'Voter Record #': office.idOf(now.voter),
        'Ballot Type': 'R',
        'Req Type': 'MA',
        'Req Date': writeSlashed(now.requestedOn),
        'Issued Type': 'MV',
        'Issued Date': writeSlashed(now.sentOn),
        'Rec Type': isInPerson ? 'VP' : now.returnedOn === '' ? '' : 'MA',
        'Rec Date': writeSlashed(isInPerson ? now.stateOn : now.returnedOn),
        DUP: now.copy === 1 ? '' : '2',
        Status: status,
        REJ: now.reason === 'late' ? 'BND' : reason,
      },
    ];
  },
};
