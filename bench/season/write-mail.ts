import { type BallotLayout, type Office, plainText } from './layout.ts';
import type { BallotNow } from './model.ts';
import { beaconBallots } from './write-own.ts';

/** Each mail house has a number of its own in the barcode. */
const mailers: Readonly<Record<string, string>> = { Adams: '123456', Benton: '654321' };

/** @param stid USPS's service type: which way the envelope goes, and in which class */
export function barcodeOf(stid: string, now: BallotNow, { county }: Office): string {
  return `00${stid}${mailers[county]}${String(now.voter * 10 + now.copy).padStart(9, '0')}`;
}

/** The mail house's list: a ballot is on it once it is printed, and has a day once it is mailed. */
export const mailPieces: BallotLayout = {
  ...beaconBallots,
  format: 'beacon-mailpieces',
  needsBallots: true,
  columns: ['registration_id', 'election', 'ballot_number', 'printed_on', 'mailed_on', 'imb'],
  text: plainText,
  places: {
    id: 'registration_id',
    days: ['printed_on', 'mailed_on'],
    election: 'election',
    swapped: ['printed_on', 'mailed_on'],
    status: 'imb',
  },
  fileName: (day) => `pieces-${day}.csv`,
  toRows: (now, office) => {
    if (now.isEarlyVote) return [];
    return [
      {
        ...{ registration_id: office.idOf(now.voter), election: office.electionNumber },
        ...{ ballot_number: String(now.copy), printed_on: now.requestedOn, mailed_on: now.sentOn },
        imb: barcodeOf('741', now, office),
      },
    ];
  },
};

/** An application is decided on the day on which its ballot would be mailed: it may have come months before, and is old news then. */
export const applications: BallotLayout = {
  ...beaconBallots,
  format: 'beacon-applications',
  isOneRowPerVoter: true,
  columns: [
    'registration_id',
    'election',
    'application_status',
    'received_on',
    'decided_on',
    'reason',
  ],
  text: plainText,
  places: {
    id: 'registration_id',
    days: ['received_on', 'decided_on'],
    election: 'election',
    swapped: ['received_on', 'decided_on'],
    status: 'application_status',
    accepted: { application_status: 'approved' },
    rejected: { application_status: 'refused', reason: 'Not registered' },
  },
  fileName: (day) => `applications-${day}.csv`,
  toRows: (now, office) => {
    const isOpen = now.state === 'requested' && now.copy === 1;
    const [status, reason] = decisionOf(now.voter);
    return [
      {
        ...{ registration_id: office.idOf(now.voter), election: office.electionNumber },
        received_on: now.requestedOn,
        decided_on: isOpen ? '' : now.sentOn || now.requestedOn,
        application_status: isOpen ? 'received' : status,
        reason: isOpen ? '' : reason,
      },
    ];
  },
};

/** One in forty lacks something, and one in a hundred is refused. */
function decisionOf(voter: number): readonly [status: string, reason: string] {
  if (voter % 40 === 7) return ['incomplete', 'Not signed'];
  return voter % 100 === 63 ? ['refused', 'Not registered'] : ['approved', ''];
}
