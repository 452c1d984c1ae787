import type { Situation } from '../cast.ts';
import {
  accepted,
  type Chapter,
  reasons,
  refused,
  requested,
  returned,
  type Story,
  sent,
} from './ballots.ts';
import type { Voter } from './voters.ts';

type Lives = Readonly<Record<string, readonly Chapter[]>>;

const generalAccepted = [
  sent('2026-09-28'),
  returned('2026-09-28', '2026-10-14'),
  accepted('2026-09-28', '2026-10-14', '2026-10-15'),
];
const primaryAccepted = [sent('2026-07-13'), accepted('2026-07-13', '2026-07-29', '2026-07-30')];
const stillOut = [sent('2026-10-30')];
const specialAccepted = [
  sent('2026-10-30'),
  returned('2026-10-30', '2026-11-12'),
  accepted('2026-10-30', '2026-11-12', '2026-11-13'),
];
const cameBack = [
  sent('2026-10-30'),
  refused('Undeliverable', '2026-10-30', '2026-11-13', '2026-11-13', reasons.undeliverable),
];
const toFix = (reason: Parameters<typeof refused>[4]) => [
  sent('2026-10-30'),
  refused('RejectedCurable', '2026-10-30', '2026-11-17', '2026-11-18', reason),
];
const noSignature = toFix(reasons.noSignature);

/** Each cast member's ballots, by election number; other voters have none. */
const lives: Partial<Record<Situation, Lives>> = {
  accepted: {
    '213': primaryAccepted,
    '216': generalAccepted,
    '217': [
      requested('2026-10-28'),
      sent('2026-10-30'),
      returned('2026-10-30', '2026-11-09'),
      accepted('2026-10-30', '2026-11-09', '2026-11-10'),
    ],
  },
  sent: { '216': generalAccepted, '217': [requested('2026-11-13'), sent('2026-11-18')] },
  returned: { '217': [...stillOut, returned('2026-10-30', '2026-11-19')] },
  rejectedCurable: { '216': generalAccepted, '217': noSignature },
  rejected: {
    '216': generalAccepted,
    '217': [
      sent('2026-11-02'),
      refused('Rejected', '2026-11-02', '2026-11-16', '2026-11-18', reasons.moved),
    ],
  },
  undeliverable: { '217': cameBack },
  requested: { '217': [requested('2026-11-19')] },
  reprinted: { '217': [...cameBack, sent('2026-11-18')] },
  cured: {
    '217': [
      sent('2026-10-30'),
      refused(
        'RejectedCurable',
        '2026-10-30',
        '2026-11-10',
        '2026-11-12',
        reasons.signatureDiffers,
      ),
      accepted('2026-10-30', '2026-11-10', '2026-11-18', true),
    ],
  },
  reversed: {
    '217': [
      ...specialAccepted,
      refused('Rejected', '2026-10-30', '2026-11-12', '2026-11-19', reasons.signatureDiffers),
    ],
  },
  backToSent: {
    '217': [...specialAccepted, { ...sent('2026-10-30'), on: '2026-11-18' }],
  },
  unknownStatus: {
    '217': [
      ...stillOut,
      returned('2026-10-30', '2026-11-16'),
      {
        on: '2026-11-19',
        standing: {
          status: 'Canvassing',
          mailed: '2026-10-30',
          returned: '2026-11-16',
          reason: null,
          isReinstated: false,
        },
      },
    ],
  },
  missingRow: { '217': [...specialAccepted, { on: '2026-11-18', standing: null }] },
  twoBallots: { '216': generalAccepted, '217': specialAccepted, '218': [sent('2026-11-13')] },
  pastOnly: {
    '213': primaryAccepted,
    '216': [
      sent('2026-10-19'),
      refused('Rejected', '2026-10-19', '2026-11-05', '2026-11-06', reasons.late),
    ],
  },
  ambiguousFirst: { '217': specialAccepted },
  ambiguousSecond: { '217': stillOut },
  ambiguousAccent: { '217': specialAccepted },
  ambiguousPlain: { '217': cameBack },
  twin: { '217': stillOut },
  twinBrother: { '217': specialAccepted },
  noFirstName: { '217': stillOut },
  accent: { '216': generalAccepted, '217': specialAccepted },
  hyphen: { '217': stillOut, '218': [requested('2026-11-12'), sent('2026-11-13')] },
  apostrophe: { '217': [...stillOut, returned('2026-10-30', '2026-11-20')] },
  curlyApostrophe: { '216': generalAccepted, '217': stillOut },
  longName: { '217': specialAccepted },
  leapDay: { '217': stillOut },
  inTransit: { '217': [requested('2026-11-12'), sent('2026-11-17')] },
  delivered: { '217': [sent('2026-11-13')] },
  returnInTransit: { '217': stillOut },
  stopped: { '217': stillOut },
  stoppedNotSeen: { '217': stillOut },
  stoppedNoScan: { '217': stillOut },
  stoppedReturn: { '217': stillOut },
  fixSignature: { '217': toFix(reasons.signatureDiffers) },
  fixId: { '217': toFix(reasons.noId) },
  fixIncomplete: { '217': toFix(reasons.incomplete) },
  fixWrongEnvelope: { '217': toFix(reasons.wrongEnvelope) },
  fixOther: { '217': toFix(reasons.other) },
  fixRecorded: {
    '217': [
      sent('2026-10-30'),
      refused('RejectedCurable', '2026-10-30', '2026-11-10', '2026-11-12', reasons.noSignature),
      { ...returned('2026-10-30', '2026-11-10'), on: '2026-11-19' },
    ],
  },
  token: { '64': generalAccepted, '65': specialAccepted },
  tokenSent: { '64': generalAccepted, '65': stillOut },
  tokenFather: { '65': noSignature },
  tokenAmbiguousFirst: { '65': [...stillOut, returned('2026-10-30', '2026-11-19')] },
  tokenAmbiguousSecond: { '65': cameBack },
  tokenPastOnly: { '64': generalAccepted },
};

/** The ballots of the cast among these voters. */
export function assignCastStories(voters: readonly Voter[]): readonly Story[] {
  return voters.flatMap((voter) => {
    const life: Lives = (voter.situation && lives[voter.situation]) ?? {};
    return Object.entries(life).map(([election, chapters]) => ({ election, voter, chapters }));
  });
}
