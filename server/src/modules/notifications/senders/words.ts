import type { MessageFinish } from '@ballot-beacon/contract/office/files';
import type { AnnouncedFinish } from './forecast.ts';

/** A finish sooner than this is not worth a clock time. */
const soonMs = 60_000;

/** Says when the last message leaves, as `Nov 3, 9:40 PM` on the office's clock. */
export function describeFinish(finish: AnnouncedFinish, timeZone: string, now: Date): string {
  const { earliestAt, latestAt, unsent } = finish;
  const clock = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, month: 'short', day: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit' },
  });
  const show = (at: number): string => clock.format(at).replaceAll('\u202f', ' ');
  const last =
    latestAt - now.getTime() < soonMs
      ? 'The last message leaves within a minute.'
      : latestAt > earliestAt
        ? `The last message leaves between ${show(earliestAt)} and ${show(latestAt)}: the messages are close to what may be sent in a day.`
        : `The last message leaves about ${show(latestAt)}.`;
  if (unsent === 0) return last;
  return `${last} ${unsent.toLocaleString('en-US')} messages will be more than three days old by then and will not be sent.`;
}

/** As the console gets it. */
export function viewFinish({ earliestAt, latestAt, unsent }: AnnouncedFinish): MessageFinish {
  return {
    earliest_at: new Date(earliestAt).toISOString(),
    latest_at: new Date(latestAt).toISOString(),
    too_old: unsent,
  };
}
