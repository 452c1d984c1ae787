import { drawEvening } from './evening/draw.ts';
import { runEvening, type SenderEvening } from './evening/run.ts';

/**
 * An election evening of 20,000,000 messages over the limits of 35 senders: when the office was promised the last of them, and when it
 * left; how long urgent messages waited. The clock is simulated, the rules are the product's.
 */
const messages = Number(process.env.BENCH_ROWS ?? 20_000_000);
const seed = process.env.BENCH_SEED ?? 'evening';
/** The promises: the announced time is wrong by this share at most, and urgent messages leave within so many milliseconds. */
const mostError = 0.1;
const mostUrgentMs = 10_000;

const started = performance.now();
const evening = drawEvening(seed, messages);
const senders = runEvening(evening);
const seconds = (performance.now() - started) / 1_000;

const clock = new Intl.DateTimeFormat('en-US', {
  timeZone: evening.timeZone,
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const say = (text: string): boolean => process.stdout.write(`${text}\n`);
const showFinish = ({ earliestAt, latestAt }: SenderEvening['announced']): string =>
  latestAt > earliestAt
    ? `${clock.format(earliestAt)} to ${clock.format(latestAt)}`
    : clock.format(latestAt);
for (const { key, parts, announced, endedAt, error, mostInSecond, urgentWaitMs } of senders)
  say(
    [
      key.padEnd(14),
      `${parts.toLocaleString('en-US').padStart(10)} parts`,
      `announced ${showFinish(announced)}`.padEnd(44),
      `left ${clock.format(endedAt)}`.padEnd(25),
      `off by ${(error * 100).toFixed(1)} %`.padEnd(17),
      `at most ${mostInSecond} in a second`.padEnd(26),
      `urgent within ${(urgentWaitMs / 1_000).toFixed(1)} s`,
    ].join('  '),
  );
const worst = Math.max(...senders.map(({ error }) => Math.abs(error)));
const urgentWaitMs = Math.max(...senders.map((one) => one.urgentWaitMs));
const last = (pick: (one: SenderEvening) => number): number => Math.max(...senders.map(pick));
const announcedMs = last((one) => one.announced.latestAt) - evening.now;
const realMs = last((one) => one.endedAt) - evening.now;
const drawn = evening.senders
  .flatMap(({ loads }) => loads)
  .reduce((sum, load) => sum + load.messages, 0);
const sent = senders.reduce((sum, one) => sum + one.messages, 0);
const urgent = senders.reduce((sum, one) => sum + one.urgent, 0);
const isMet = worst <= mostError && urgentWaitMs <= mostUrgentMs && sent === drawn + urgent;
if (!isMet) process.exitCode = 1;
say(
  JSON.stringify({
    ...{ name: 'evening', rows: messages, seed, sent, urgent, seconds: Math.round(seconds) },
    announcedHours: hours(announcedMs),
    realHours: hours(realMs),
    ratio: Math.round((announcedMs / realMs) * 1_000) / 1_000,
    worstError: Math.round(worst * 1_000) / 1_000,
    ...{ urgentWaitMs, isMet },
  }),
);

function hours(ms: number): number {
  return Math.round(ms / 36_000) / 100;
}
