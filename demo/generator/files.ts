import type { StandingRow } from './ballots.ts';
import { slashed } from './calendar.ts';
import type { County } from './counties.ts';
import type { Mailing } from './mail-pieces.ts';
import { createRandom } from './random.ts';
import type { Voter } from './voters.ts';

type Fields = readonly string[];

/**
 * Writes CSV as in RFC 4180. `every` quotes each field, as older exporters do; `needed` quotes only fields that contain
 * a comma, a quote or a line break.
 */
export function writeCsv(
  rows: readonly Fields[],
  quotes: 'every' | 'needed',
  lineEnd: '\r\n' | '\n',
) {
  const write = (field: string) =>
    quotes === 'every' || /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
  return rows.map((row) => row.map(write).join(',') + lineEnd).join('');
}

/** Voter Focus' Master Voter File: thirteen columns, every field quoted, CRLF. */
export function writeMasterVoterFile(county: County, voters: readonly Voter[]): string {
  const header = [
    'Voter ID',
    'First Name',
    'Last Name',
    'Middle Name',
    'Birth Date',
    'Zip Code',
    'County of Residence',
    'Private Home Phone',
    'Private Mobile Phone',
    'Area Code',
    'Phone Number',
    'Email Address',
    'Public Email Address',
  ];
  const phone = (value: Voter['homePhone']) => (value ? `(${value.areaCode}) ${value.number}` : '');
  const rows = voters.map((voter) => [
    voter.registrationId,
    voter.firstname,
    voter.lastname,
    voter.middlename,
    slashed(voter.birthdate),
    voter.zipcode,
    county.county,
    phone(voter.homePhone),
    phone(voter.mobilePhone),
    voter.publicPhone?.areaCode ?? '',
    voter.publicPhone?.number ?? '',
    voter.email,
    voter.publicEmail,
  ]);
  return writeCsv([header, ...rows], 'every', '\r\n');
}

/** Voter Focus' Ballot Status File, in order of election and voter ID, CRLF. */
export function writeBallotStatusFile(rows: readonly StandingRow[], primaries: readonly string[]) {
  const header = [
    'ElectionNumber',
    'VoterID',
    'BallotStatus',
    'MailedDate',
    'ReturnedDate',
    'VbmRequestPrecinct',
    'VbmParty',
    'RejectionReason',
    'RejectionDescription',
    'IsReinstated',
    'IsSignatureRelatedReason',
  ];
  const flag = (value: boolean) => (value ? 'TRUE' : 'FALSE');
  const key = (row: StandingRow) => `${row.election} ${row.voter.registrationId}`;
  const lines = [...rows]
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
    .map(({ election, voter, standing }) => [
      election,
      voter.registrationId,
      standing.status,
      slashed(standing.mailed),
      slashed(standing.returned),
      voter.precinct,
      primaries.includes(election) ? partyOf(voter) : '',
      standing.reason?.code ?? '',
      standing.reason?.description ?? '',
      flag(standing.isReinstated),
      flag(standing.reason?.isSignatureRelated ?? false),
    ]);
  return writeCsv([header, ...lines], 'needed', '\r\n');
}

/** The product's own `beacon-voters` format, all columns but `birthyear`, LF. */
export function writeBeaconVoters(county: County, voters: readonly Voter[]): string {
  const header = [
    'registration_id',
    'firstname',
    'middlename',
    'lastname',
    'suffix',
    'birthdate',
    'address',
    'city',
    'state',
    'zipcode',
    'county',
    'precinct',
    'phone',
    'email',
    'language_preference',
    'is_active',
    'is_confidential',
    'security_token',
  ];
  const rows = voters.map((voter) => {
    const phone = voter.mobilePhone ?? voter.homePhone ?? voter.publicPhone;
    return [
      voter.registrationId,
      voter.firstname,
      voter.middlename,
      voter.lastname,
      voter.suffix,
      voter.birthdate,
      voter.address,
      voter.city,
      'FL',
      voter.zipcode,
      county.county,
      voter.precinct,
      phone ? `(${phone.areaCode}) ${phone.number}` : '',
      voter.email || voter.publicEmail,
      voter.languagePreference,
      String(voter.isActive),
      String(voter.isConfidential),
      voter.securityToken,
    ];
  });
  return writeCsv([header, ...rows], 'needed', '\n');
}

/** The product's own `beacon-mailpieces` format, a row per mailing, LF. */
export function writeMailPieces(mailings: readonly Mailing[]): string {
  const header = ['registration_id', 'election', 'mailed_on', 'outbound_imb', 'inbound_imb'];
  const rows = mailings.map(({ voter, election, mailed, outbound, inbound }) => [
    ...[voter.registrationId, election, mailed, outbound, inbound],
  ]);
  return writeCsv([header, ...rows], 'needed', '\n');
}

// A closed primary's file names the party whose ballot was asked for.
function partyOf(voter: Voter): string {
  return createRandom(`party of ${voter.registrationId}`).pick(['DEM', 'REP', 'NPA']);
}
