import { addDays } from '../demo/generator/calendar.ts';
import { createRandom } from '../demo/generator/random.ts';
import {
  foreseeStop,
  groupStops,
  type MailDays,
  readMailDays,
  type Stop,
  type StoppedEnvelope,
} from '../server/src/modules/stopped-mail/index.ts';
import { drawEnvelopes, drawJams, type Envelope, type Sight, seasonEnd } from './mail/election.ts';

/**
 * A simulated election's mail: of envelopes that move normally, how many are called stopped; of those that truly stopped, how many are
 * called so within a day of the threshold. An envelope that no machine ever scans reads "not seen yet" whether it moves or not:
 * nobody can know, so these are counted by themselves.
 *
 * `npm run bench -- mail [--seed WORD]`
 */
const count = Number(process.env.BENCH_ROWS ?? 200_000);
const seedAt = process.argv.indexOf('--seed');
const seed = seedAt < 0 ? 'ballot' : (process.argv[seedAt + 1] ?? 'ballot');
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

const started = performance.now();
const days = await readMailDays();
const random = createRandom(`mail ${seed}`);
const jams = drawJams(random);
const tally = {
  normal: 0,
  falseCalls: 0,
  stopped: 0,
  found: 0,
  stoppedUnseen: 0,
  unseenNoticed: 0,
};
const unseen = { normal: 0, noticed: 0 };
const called: StoppedEnvelope[] = [];

let drawn = 0;
while (drawn < count) {
  for (const envelope of drawEnvelopes(random, jams, days)) {
    drawn += 1;
    judge(envelope);
  }
}
const { incidents } = groupStops(called);
const jammed = jams.filter(({ facility, from, to }) =>
  incidents.some((one) => one.facility === facility && from <= one.day && one.day <= to),
);

say(`seed ${seed}, ${drawn.toLocaleString('en-US')} envelopes`);
say(
  `move normally, seen    ${tally.normal}: ${tally.falseCalls} called stopped (${percent(tally.falseCalls, tally.normal)})`,
);
say(
  `truly stopped, seen    ${tally.stopped}: ${tally.found} called within a day of the threshold (${percent(tally.found, tally.stopped)})`,
);
say(
  `never scanned          ${unseen.normal} that move: ${unseen.noticed} read "not seen yet"; ${tally.stoppedUnseen} that stopped: ${tally.unseenNoticed} do`,
);
say(
  `stuck facilities       ${jams.length}: ${jammed.length} found as incidents, of ${incidents.length} in all`,
);
const falseShare = tally.falseCalls / tally.normal;
const foundShare = tally.found / tally.stopped;
say(
  JSON.stringify({
    name: 'mail',
    seed,
    rows: drawn,
    falseShare: Number(falseShare.toFixed(5)),
    foundShare: Number(foundShare.toFixed(5)),
    falseShareOfAll: Number((tally.falseCalls / (tally.normal + unseen.normal)).toFixed(5)),
    foundShareOfAll: Number(
      ((tally.found + tally.unseenNoticed) / (tally.stopped + tally.stoppedUnseen)).toFixed(5),
    ),
    incidents: incidents.length,
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
  }),
);
if (falseShare > 0.01 || foundShare < 0.95) process.exitCode = 1;

function judge(envelope: Envelope): void {
  const { isStuck, sights } = envelope;
  const call = firstCall(envelope, sights, days);
  if (sights.length === 0) {
    if (isStuck) tally.stoppedUnseen += 1;
    else unseen.normal += 1;
    if (!call) return;
    if (isStuck) tally.unseenNoticed += 1;
    else unseen.noticed += 1;
    return;
  }
  // Not seen yet, and later seen: the page said so, and that nothing follows from it.
  const isStop = call !== null && call.stop.reason !== 'not-seen';
  if (!isStuck) {
    tally.normal += 1;
    if (isStop) tally.falseCalls += 1;
    return;
  }
  const due = firstCall(envelope, envelope.passes, days);
  if (due) {
    tally.stopped += 1;
    if (isStop && call.on <= addDays(due.on, 1)) tally.found += 1;
  }
  const last = sights.at(-1);
  if (isStop && last)
    called.push({ stop: call.stop, facility: last.facility, lastSeenOn: last.on, zip: '34811' });
}

/**
 * The first morning on which the page would call an envelope stopped, by the scans reported until the day before; null when something ends that first.
 */
function firstCall(
  { direction, mailClass, sentOn, expectedOn, recordedOn }: Envelope,
  known: readonly Sight[],
  mailDays: MailDays,
): { readonly on: string; readonly stop: Stop } | null {
  const reports = known.toSorted((a, b) => (a.reportedOn < b.reportedOn ? -1 : 1));
  let lastSeenOn: string | null = null;
  let from = addDays(sentOn, 1);
  for (let next = 0; next <= reports.length; next += 1) {
    const stop = foreseeStop(
      {
        direction,
        mailClass,
        sentOn: direction === 'outbound' ? sentOn : null,
        lastSeenOn,
        expectedOn: lastSeenOn === null ? null : expectedOn,
      },
      mailDays,
    );
    const report = reports[next];
    const until = [report?.reportedOn, recordedOn, addDays(seasonEnd, 1)]
      .filter((day) => typeof day === 'string')
      .sort()[0] as string;
    // Yesterday's scans are the newest: a threshold before them has passed.
    const on = stop && addDays(stop.threshold, 2) > from ? addDays(stop.threshold, 2) : from;
    if (stop && on < until) return { on, stop };
    if (!report || until !== report.reportedOn || report.isLast) return null;
    if (lastSeenOn === null || report.on > lastSeenOn) lastSeenOn = report.on;
    from = report.reportedOn;
  }
  return null;
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(2)}%`;
}
