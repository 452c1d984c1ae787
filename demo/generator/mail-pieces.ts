import type { Story } from './ballots.ts';
import type { Day } from './calendar.ts';
import { createRandom } from './random.ts';
import type { Voter } from './voters.ts';

/** The two envelopes of one mailing of a ballot, as the mail house printed them. */
export interface Mailing {
  readonly voter: Voter;
  readonly election: string;
  readonly mailed: Day;
  /** Intelligent Mail barcodes: 25 to 31 digits. */
  readonly outbound: string;
  readonly inbound: string;
}

const mailerId = '000555';
/** The office's own ZIP+4 and delivery point. */
const officeRouting = '34811000199';
/** Share of the invented voters whose envelopes were tracked; the cast's envelopes all were. */
const share = 0.04;

/**
 * The mailings of an election until `day`, but of the voter who shows "sent" for weeks: one for each day on which a ballot was mailed. A serial number is the voter
 * ID, its first digit less by one for each mailing before.
 */
export function listMailings(
  stories: readonly Story[],
  election: string,
  day: Day,
): readonly Mailing[] {
  const followed = stories.filter(
    ({ voter, election: own }) =>
      own === election &&
      voter.situation !== 'backToSent' &&
      (voter.situation !== null || isFollowed(voter)),
  );
  return followed
    .flatMap(({ voter, chapters }) => {
      const known = chapters.filter(({ on }) => on <= day);
      const days = new Set(known.map(({ standing }) => standing?.mailed ?? '').filter(Boolean));
      return [...days].sort().map((mailed, before) => {
        const [first = '', ...rest] = voter.registrationId;
        const serial = `${Number(first) - before}${rest.join('')}`;
        const routing = voter.zipcode.replace('-', '');
        return {
          voter,
          election,
          mailed,
          outbound: `00741${mailerId}${serial}${routing}`,
          inbound: `00778${mailerId}${serial}${officeRouting}`,
        };
      });
    })
    .sort((a, b) => (a.outbound < b.outbound ? -1 : 1));
}

function isFollowed({ registrationId }: Voter): boolean {
  return createRandom(`envelopes of ${registrationId}`).chance(share);
}
