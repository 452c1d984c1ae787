import type { Situation } from '../cast.ts';
import type { Mailing } from './mail-pieces.ts';

/** A machine scan of an envelope: the facility's clock, the mail phase, the operation code. */
type Sight = readonly [
  at: string,
  phase: keyof typeof phases,
  code: string,
  facility: keyof typeof facilities,
];

/** Cities of the invented county, whose ZIP codes USPS has not assigned. */
const facilities = {
  plant: { city: 'PORT ALDEN', zip: '34811' },
  office: { city: 'SALTMARSH', zip: '34818' },
} as const;

const phases = {
  '1a': 'Phase 1a - Origin Primary Sortation',
  '2a': 'Phase 2a - Destination MMP',
  '3c': 'Phase 3c - Destination Sequenced Carrier Sortation',
  '4c': 'Phase 4c - Delivery',
} as const;

const wayOut: readonly Sight[] = [
  ['2026-10-30T21:14:05', '1a', '493', 'plant'],
  ['2026-11-02T05:41:30', '2a', '517', 'plant'],
  ['2026-11-03T06:55:12', '3c', '919', 'office'],
  ['2026-11-03T13:20:44', '4c', '517', 'office'],
];

/** An envelope's scans, outbound and inbound, and the day on which USPS planned to deliver it, if it said so. */
interface Followed {
  readonly out: readonly Sight[];
  readonly expected: string | null;
  readonly back: readonly Sight[];
}

/** The cast members whose envelopes were tracked. Those who demonstrate "sent" are not among them. */
const followed: Partial<Record<Situation, Followed>> = {
  returned: {
    out: wayOut,
    expected: '2026-11-03',
    back: [
      ['2026-11-17T18:32:19', '1a', '493', 'office'],
      ['2026-11-18T04:10:50', '2a', '517', 'plant'],
    ],
  },
  rejectedCurable: {
    out: wayOut,
    expected: '2026-11-03',
    back: [['2026-11-16T19:05:02', '1a', '493', 'office']],
  },
  cured: {
    out: wayOut.slice(0, 2),
    expected: '2026-11-03',
    back: [['2026-11-09T17:48:33', '1a', '493', 'office']],
  },
  inTransit: {
    out: [
      ['2026-11-18T21:09:31', '1a', '493', 'plant'],
      ['2026-11-20T05:37:12', '2a', '517', 'plant'],
    ],
    expected: '2026-11-23',
    back: [],
  },
  delivered: {
    out: [
      ['2026-11-13T21:26:40', '1a', '493', 'plant'],
      ['2026-11-16T05:52:03', '2a', '517', 'plant'],
      ['2026-11-17T06:48:55', '3c', '919', 'office'],
      ['2026-11-17T12:57:18', '4c', '517', 'office'],
    ],
    expected: '2026-11-17',
    back: [],
  },
  returnInTransit: {
    out: wayOut,
    expected: '2026-11-03',
    back: [['2026-11-20T18:14:27', '1a', '493', 'office']],
  },
  stopped: { out: wayOut.slice(0, 2), expected: '2026-11-05', back: [] },
  stoppedNoScan: { out: wayOut.slice(0, 2), expected: null, back: [] },
  stoppedReturn: {
    out: wayOut,
    expected: '2026-11-03',
    back: [['2026-11-09T18:40:16', '1a', '493', 'office']],
  },
};

/** The scans of the cast's envelopes that USPS pushed, in the demo's single push. */
export function listScans(mailings: readonly Mailing[]) {
  const events = mailings.flatMap(({ voter, outbound, inbound }) => {
    const seen = voter.situation === null ? undefined : followed[voter.situation];
    if (!seen) return [];
    return [
      ...seen.out.map((sight) => describe(outbound, sight, seen.expected)),
      ...seen.back.map((sight) => describe(inbound, sight, null)),
    ];
  });
  const count = events.length;
  return {
    msgGrpId: '1',
    msgSerNbr: 1,
    totMsgCnt: 1,
    recCnt: count,
    totRecCnt: count,
    events: events.sort((a, b) => (a.scanDatetime < b.scanDatetime ? -1 : 1)),
  };
}

function describe(imb: string, [at, phase, code, facility]: Sight, expected: string | null) {
  const { city, zip } = facilities[facility];
  return {
    imb,
    imbTrackingCode: imb.slice(0, 20),
    handlingEventType: 'A',
    mailPhase: phases[phase],
    scanEventCode: code,
    scanDatetime: at,
    scanFacilityCity: city,
    scanFacilityState: 'FL',
    scanFacilityZip: zip,
    ...(expected !== null && { expectedDeliveryDate: expected }),
  };
}
