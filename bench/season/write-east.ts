import {
  type BallotLayout,
  type Cells,
  compact,
  plainText,
  type VoterLayout,
  writeIso,
  writeSlashed,
} from './layout.ts';
import type { State } from './model.ts';
import { hasComeBack, onRequest, paddedId } from './write-own.ts';

const ncColumns =
  `county_desc voter_reg_num ncid voter_last_name voter_first_name voter_middle_name race ethnicity gender age
  voter_street_address voter_city voter_state voter_zip ballot_mail_street_address ballot_mail_city ballot_mail_state
  ballot_mail_zip other_mail_addr1 other_mail_addr2 other_city_state_zip relative_request_name relative_request_address
  relative_request_city relative_request_state relative_request_zip election_dt voter_party_code precinct_desc
  cong_dist_desc nc_house_desc nc_senate_desc ballot_req_delivery_type ballot_req_type ballot_request_party
  ballot_req_dt ballot_send_dt ballot_rtn_dt ballot_rtn_status site_name sdr mail_veri_status`.split(
    /\s+/,
  );
const ncId = (voter: number): string => `AA${11_203 + voter * 7}`;

/** Before election day the file lists what has come back or was voted early; afterwards everything. */
export const ncAbsentee: BallotLayout = {
  of: 'ballots',
  format: 'nc-absentee',
  state: 'NC',
  customs: { mailsBefore: 46, byMail: 0.3, earlyVotes: 0.35, hasBoard: true },
  isOneRowPerVoter: false,
  columns: ncColumns,
  text: { ...plainText, quotes: 'all', blank: ' ', encoding: 'latin1' },
  places: {
    id: 'ncid',
    days: ['ballot_req_dt', 'ballot_send_dt', 'ballot_rtn_dt'],
    election: 'election_dt',
    county: 'county_desc',
    swapped: ['ballot_send_dt', 'ballot_rtn_dt'],
    status: 'ballot_rtn_status',
    accepted: { ballot_rtn_status: 'ACCEPTED' },
    rejected: { ballot_rtn_status: 'SIGNATURE DIFFERENT' },
  },
  fileName: (day) => `absentee_${compact(day)}.csv`,
  idOf: ncId,
  hasLocalIds: false,
  writeDay: writeSlashed,
  toRows(now, office, morning) {
    const { state, reason } = now;
    if (morning <= office.electionDate && !hasComeBack(now) && state !== 'replaced') return [];
    const row: Cells = {
      county_desc: office.county.toUpperCase(),
      voter_reg_num: String(now.voter + 1).padStart(12, '0'),
      ncid: office.idOf(now.voter),
      voter_last_name: 'MUÑOZ',
      voter_first_name: 'INVENTED',
      election_dt: writeSlashed(office.electionDate),
      ballot_req_delivery_type: 'MAIL',
      ballot_req_type: 'MAIL',
      ballot_req_dt: writeSlashed(now.requestedOn),
      ballot_send_dt: writeSlashed(now.sentOn),
      ballot_rtn_dt: writeSlashed(state === 'undeliverable' ? now.stateOn : now.returnedOn),
      ballot_rtn_status: reason === 'late' ? 'RETURNED AFTER DEADLINE' : ncStatuses[state],
    };
    if (state !== 'in-person') return [row];
    const day = writeSlashed(now.stateOn);
    const early = {
      ...row,
      ...{ ballot_req_type: 'EARLY VOTING', ballot_req_dt: day, ballot_send_dt: day },
      ...{ ballot_rtn_dt: day, ballot_rtn_status: 'ACCEPTED', site_name: 'LIBRARY' },
    };
    return now.isEarlyVote ? [early] : [{ ...row, ballot_rtn_status: 'SPOILED-EV' }, early];
  },
};

const ncStatuses: Readonly<Record<State, string>> = {
  requested: '',
  sent: '',
  returned: 'PENDING',
  accepted: 'ACCEPTED',
  curable: 'WITNESS INFO INCOMPLETE',
  rejected: 'SIGNATURE DIFFERENT',
  undeliverable: 'RETURNED UNDELIVERABLE',
  replaced: 'SPOILED',
  cancelled: 'CANCELLED',
  'in-person': 'SPOILED-EV',
};

const gaColumns = `County|Voter Registration #|Last Name|First Name|Middle Name|Suffix|Street #|Street Name|Apt/Unit|City|State|Zip Code|Mailing Street #|Mailing Street Name|Mailing Apt/Unit|Mailing City|Mailing State|Mailing Zip Code|Application Status|Ballot Status|Status Reason|Application Date|Ballot Issued Date|Ballot Return Date|Ballot Style|Ballot Assisted|Challenged/Provisional|ID Required|Municipal Precinct|County Precinct|CNG|SEN|HOUSE|JUD|Combo #|Vote Center ID|Ballot ID|Party`;
const gaStatuses: Readonly<Record<State, readonly [status: string, reason: string]>> = {
  requested: ['', ''],
  sent: ['I', ''],
  returned: ['', ''],
  accepted: ['A', ''],
  curable: ['R', 'Missing/Invalid ID'],
  rejected: ['R', 'Missing signature'],
  undeliverable: ['C', 'Undeliverable ballot'],
  replaced: ['C', 'Voter requested a new ballot'],
  cancelled: ['C', 'Voter request'],
  'in-person': ['C', 'Surrendered'],
};

/** One row per application. The file does not name its election. */
export const gaAbsentee: BallotLayout = {
  of: 'ballots',
  format: 'ga-absentee',
  state: 'GA',
  customs: { mailsBefore: 29, byMail: 0.2, earlyVotes: 0.4, hasBoard: false },
  isOneRowPerVoter: false,
  columns: gaColumns.split('|'),
  text: { ...plainText, quotes: 'all', blank: ' ' },
  places: {
    id: 'Voter Registration #',
    days: ['Application Date', 'Ballot Issued Date', 'Ballot Return Date'],
    county: 'County',
    swapped: ['Ballot Issued Date', 'Ballot Return Date'],
    status: 'Ballot Status',
    accepted: { 'Ballot Status': 'A' },
    rejected: { 'Ballot Status': 'R', 'Status Reason': 'Missing signature' },
  },
  fileName: () => 'ADAMS.csv',
  idOf: paddedId,
  hasLocalIds: false,
  writeDay: writeSlashed,
  toRows(now, office) {
    const [status, reason] = gaStatuses[now.state];
    const back = now.state === 'undeliverable' ? now.stateOn : now.returnedOn;
    const row: Cells = {
      County: office.county.toUpperCase(),
      'Voter Registration #': office.idOf(now.voter),
      'Application Status': 'A',
      'Ballot Status': status,
      'Status Reason': now.reason === 'late' ? 'Ballot received after deadline' : reason,
      'Application Date': writeSlashed(now.requestedOn),
      'Ballot Issued Date': writeSlashed(now.sentOn),
      'Ballot Return Date': writeSlashed(back),
      'Ballot Style': 'ABSENTEE BY MAIL',
    };
    if (now.state !== 'in-person') return [row];
    const day = writeSlashed(now.stateOn);
    const early = {
      ...row,
      ...{ 'Ballot Status': 'A', 'Status Reason': '', 'Ballot Style': 'EARLY IN-PERSON' },
      ...{ 'Application Date': day, 'Ballot Issued Date': day, 'Ballot Return Date': day },
    };
    return now.isEarlyVote ? [early] : [row, early];
  },
};

const paStatuses: Readonly<Record<State, readonly [status: string, reason: string]>> = {
  requested: ['Pending', ''],
  sent: ['Pending', 'PEND – NOT YET RETURNED'],
  returned: ['Pending', ''],
  accepted: ['Vote Recorded', 'RECORD – BALLOT RETURNED'],
  curable: ['Pending', 'PEND – NO SIGNATURE'],
  rejected: ['Cancelled', 'CANC – NO SIGNATURE'],
  undeliverable: ['Cancelled', 'CANC – UNDELIVERABLE'],
  replaced: ['Cancelled', 'CANC – REPLACED'],
  cancelled: ['Cancelled', 'CANC – VOTE CANCELLED'],
  'in-person': ['Cancelled', 'CANC – VOTE CANCELLED'],
};

export const paBallots: BallotLayout = {
  of: 'ballots',
  format: 'pa-ballots',
  state: 'PA',
  customs: { ...onRequest, mailsBefore: 30, byMail: 0.35 },
  isOneRowPerVoter: false,
  columns: [
    ...['voter_id', 'countyname', 'party', 'dateofbirth', 'mailapplicationtype', 'appissuedate'],
    ...['appreturndate', 'ballotsentdate', 'ballotreturneddate', 'congressional', 'senate'],
    ...['legislative', 'ballot_status', 'ballot_status_reason', 'file_identification'],
    'ballot_application_disposition',
  ],
  text: plainText,
  places: {
    id: 'voter_id',
    days: ['appissuedate', 'appreturndate', 'ballotsentdate', 'ballotreturneddate'],
    county: 'countyname',
    swapped: ['ballotsentdate', 'ballotreturneddate'],
    status: 'ballot_status',
    accepted: { ballot_status: 'Vote Recorded' },
    rejected: { ballot_status: 'Cancelled', ballot_status_reason: 'CANC – NO SIGNATURE' },
  },
  fileName: (day) => `mail_ballots_${day}.csv`,
  idOf: paddedId,
  hasLocalIds: false,
  writeDay: writeIso,
  toRows(now, office, morning) {
    const [status, reason] = paStatuses[now.state];
    return [
      {
        voter_id: office.idOf(now.voter),
        countyname: office.county.toUpperCase(),
        dateofbirth: '1/1/1800',
        appissuedate: now.requestedOn,
        appreturndate: now.requestedOn,
        ballotsentdate: now.sentOn,
        ballotreturneddate: now.returnedOn,
        ballot_status: status,
        ballot_status_reason: now.reason === 'late' ? 'CANC – RETURNED AFTER DEADLINE' : reason,
        file_identification: compact(morning),
      },
    ];
  },
};

const ncVoterColumns =
  `county_id county_desc voter_reg_num ncid last_name first_name middle_name name_suffix_lbl status_cd
  voter_status_desc reason_cd voter_status_reason_desc res_street_address res_city_desc state_cd zip_code mail_addr1
  mail_addr2 mail_addr3 mail_addr4 mail_city mail_state mail_zipcode full_phone_number confidential_ind registr_dt
  race_code ethnic_code party_cd gender_code birth_year age_at_year_end birth_state drivers_lic precinct_abbrv
  precinct_desc`.split(/\s+/);

export const ncVoters: VoterLayout = {
  of: 'voters',
  format: 'nc-voters',
  state: 'NC',
  columns: ncVoterColumns,
  text: { ...plainText, delimiter: '\t', quotes: 'all', encoding: 'latin1' },
  places: {
    id: 'ncid',
    days: ['birth_year'],
    county: 'county_desc',
    swapped: ['last_name', 'first_name'],
    status: 'status_cd',
    address: 'res_street_address',
    accepted: { status_cd: 'A' },
    rejected: { status_cd: 'R' },
  },
  fileName: () => 'ncvoter1.txt',
  idOf: ncId,
  hasLocalIds: false,
  writeDay: (day) => day.slice(0, 4),
  toRow: ({ voter, name, birthdate, address, zipcode, isActive, isConfidential }, office) => ({
    county_id: '1',
    county_desc: office.county.toUpperCase(),
    voter_reg_num: String(voter + 1).padStart(12, '0'),
    ncid: office.idOf(voter),
    last_name: name.lastname.toUpperCase(),
    first_name: name.firstname.toUpperCase(),
    middle_name: name.middlename.toUpperCase(),
    name_suffix_lbl: name.suffix,
    status_cd: isActive ? 'A' : 'R',
    res_street_address: address,
    res_city_desc: 'ALDER FALLS',
    state_cd: 'NC',
    zip_code: zipcode,
    birth_year: birthdate.slice(0, 4),
    confidential_ind: isConfidential ? 'Y' : 'N',
    precinct_desc: String(voter % 40),
  }),
};
