import type { BallotStatus } from '@ballot-beacon/contract/statuses';

interface Look {
  readonly fill: string;
  /** Hatching marks a detail of the status before it, so that it can be seen without colors. */
  readonly isHatched?: true;
}

/**
 * From the bottom of a bar to its top: finished ballots first, then back through a ballot's way, then what went wrong.
 * The way is one hue from light to dark. The others are Okabe and Ito's colors, which
 * color-blind people can distinguish (https://jfly.uni-koeln.de/color/).
 */
export const looks: Readonly<Record<BallotStatus, Look>> = {
  counted: { fill: '#041e42' },
  accepted: { fill: '#08306b' },
  'in-person': { fill: '#009e73' },
  returned: { fill: '#2f7ab8' },
  'return-in-transit': { fill: '#2f7ab8', isHatched: true },
  delivered: { fill: '#7fb8dd', isHatched: true },
  'in-transit': { fill: '#c3ddee', isHatched: true },
  sent: { fill: '#7fb8dd' },
  reprinted: { fill: '#dfe3e8', isHatched: true },
  printed: { fill: '#c3ddee' },
  requested: { fill: '#e9ecef' },
  'application-approved': { fill: '#f4f5f7' },
  'application-received': { fill: '#f4f5f7', isHatched: true },
  cancelled: { fill: '#767676' },
  undeliverable: { fill: '#cc79a7' },
  'application-refused': { fill: '#cc79a7', isHatched: true },
  'not-counted': { fill: '#d55e00', isHatched: true },
  rejected: { fill: '#d55e00' },
  'application-incomplete': { fill: '#e69f00', isHatched: true },
  'rejected-curable': { fill: '#e69f00' },
};
