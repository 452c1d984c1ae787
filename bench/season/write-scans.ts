import { addDays, type Day, slashed } from '../../demo/generator/calendar.ts';
import { type BallotLayout, type Cells, plainText } from './layout.ts';
import type { BallotNow } from './model.ts';
import { barcodeOf } from './write-mail.ts';
import { beaconBallots } from './write-own.ts';

/** A mail house's list of barcodes, one on the way out and one on the way back. */
export const barcodes: BallotLayout = {
  ...beaconBallots,
  format: 'beacon-mailpieces',
  needsBallots: true,
  columns: ['registration_id', 'election', 'ballot_number', 'outbound_imb', 'inbound_imb'],
  text: plainText,
  fileName: () => 'pieces.csv',
  toRows: (now, office) => {
    if (now.isEarlyVote) return [];
    return [
      {
        ...{ registration_id: office.idOf(now.voter), election: office.electionNumber },
        ballot_number: String(now.copy),
        outbound_imb: barcodeOf('716', now, office),
        inbound_imb: barcodeOf('777', now, office),
      },
    ];
  },
};

interface Sight {
  readonly stid: '716' | '777';
  readonly on: Day;
  readonly time: string;
  readonly phase: string;
  readonly code: string;
  readonly zip: string;
}

const plant = '34811';
const postOffice = '34820';

/** What the machines saw of a ballot's envelopes. A tenth are never scanned, a twentieth of the other scans are missing, one envelope in fifty goes the wrong way first. */
function listSights({ voter, copy, sentOn, returnedOn }: BallotNow): Sight[] {
  const draw = (what: number) =>
    (((voter + 1) * 7_919 + copy * 104_729 + what * 15_485_863) >>> 0) % 100;
  const sights: Sight[] = [];
  const see = (stid: Sight['stid'], on: Day, time: string, phase: string, code: string) => {
    const zip = phase.startsWith('1') || phase.startsWith('2') ? plant : postOffice;
    if (draw(sights.length + 10) >= 5) sights.push({ stid, on, time, phase, code, zip });
  };
  const minutes = String(draw(1) % 60).padStart(2, '0');
  if (sentOn !== '' && draw(2) >= 10) {
    const slow = draw(3) < 20 ? 2 : 0;
    see('716', addDays(sentOn, draw(4) < 10 ? -1 : 0), `18:${minutes}:10`, '1a', '493');
    see('716', addDays(sentOn, 1), `02:${minutes}:20`, '2b', '517');
    if (draw(5) < 2) see('716', addDays(sentOn, 2), `17:${minutes}:25`, '1a', '493');
    see('716', addDays(sentOn, 2 + slow), `06:${minutes}:30`, '3c', '919');
    if (draw(6) < 30) see('716', addDays(sentOn, 2 + slow), `11:${minutes}:40`, '4c', '');
  }
  // A third is brought to a drop box.
  if (returnedOn !== '' && draw(7) >= 33 && draw(8) >= 10) {
    see('777', addDays(returnedOn, -2), `19:${minutes}:50`, '1', '481');
    see('777', addDays(returnedOn, -1), `03:${minutes}:55`, '2c', '517');
    see('777', addDays(returnedOn, draw(9) < 5 ? 1 : 0), `05:${minutes}:05`, '3c', '918');
  }
  return sights;
}

/** A file has the scans of the days before it, and repeats some of the file before. */
const daysInFile = 4;

function seenUntil(now: BallotNow, morning: Day): Sight[] {
  if (now.isEarlyVote) return [];
  const first = addDays(morning, -daysInFile);
  return listSights(now).filter(({ on }) => on >= first && on < morning);
}

const place = { scanFacilityCity: 'ALDER FALLS', scanFacilityState: 'FL' } as const;

/** Scans of USPS, in a table with the names that it pushes. */
export const uspsScans: BallotLayout = {
  ...beaconBallots,
  ...{ format: 'usps-iv-mtr', needsBallots: true, isOfEnvelopes: true, daysAhead: 4 },
  columns: [
    ...['imb', 'scanDatetime', 'mailPhase', 'handlingEventType', 'scanEventCode'],
    ...['scanFacilityCity', 'scanFacilityState', 'scanFacilityZip'],
  ],
  text: plainText,
  places: {
    id: 'imb',
    days: ['scanDatetime'],
    swapped: ['imb', 'scanEventCode'],
    status: 'mailPhase',
  },
  fileName: (day) => `scans-${day}.csv`,
  toRows: (now, office, morning) =>
    seenUntil(now, morning).map(
      ({ stid, on, time, phase, code, zip }): Cells => ({
        ...{ imb: `${barcodeOf(stid, now, office)}34811`, scanDatetime: `${on} ${time}` },
        ...{ mailPhase: phase, handlingEventType: 'A', scanEventCode: code, ...place },
        scanFacilityZip: zip,
      }),
    ),
};

/** An older vendor's record of them, which knows operations and no phases. */
export const scanRecords: BallotLayout = {
  ...uspsScans,
  format: 'usps-scan-records',
  columns: ['imb_digits', 'postnet', 'scan_date', 'scan_time', 'op_code', 'facility_zip'],
  places: {
    id: 'imb_digits',
    days: ['scan_date'],
    swapped: ['imb_digits', 'postnet'],
    status: 'op_code',
  },
  toRows: (now, office, morning) =>
    seenUntil(now, morning).map(
      ({ stid, on, time, code, zip }): Cells => ({
        ...{ imb_digits: barcodeOf(stid, now, office), postnet: '34811' },
        ...{ scan_date: slashed(on), scan_time: time, op_code: code, facility_zip: zip },
      }),
    ),
};
