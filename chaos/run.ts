import type { CountyReport } from './busy-county.ts';
import { runChaos } from './chaos.ts';
import { runFailover } from './failover/failover.ts';

/**
 * `npm run chaos [KILLS] [SEED]`: 200 kills of worker, server and database. `npm run chaos -- failover [KILLS] [SEED]`: 20 deaths of
 * the primary of two databases. Exit 1 when a promise was broken.
 */
const [first, ...others] = process.argv.slice(2);
const isFailover = first === 'failover';
const [killed, seeded] = isFailover ? others : [first, ...others];
const kills = Number(killed ?? (isFailover ? 20 : 200));
const seed = Number(seeded ?? Date.now() % 1_000_000);
const longestOutageMs = 30_000;
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

say(`${kills} kills, seed ${seed}`);
const broken = isFailover ? await failOver() : await wreak();
process.exitCode = broken === 0 ? 0 : 1;

async function wreak(): Promise<number> {
  const report = await runChaos({
    ...{ kills, seed },
    onKill: (count, victim) => {
      if (count % 10 === 0) say(`${count} kills, the last one of the ${victim}`);
    },
  });
  say(JSON.stringify(report, null, 2));
  return describeCounty(report);
}

async function failOver(): Promise<number> {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const { failovers, visitors, ...report } = await runFailover({
    ...{ kills, seed },
    onFailover: ({ machine, lost, backAfterMs }) =>
      say(`${machine} lost ${lost.padEnd(8)}: voters sign in again after ${seconds(backAfterMs)}`),
  });
  say(JSON.stringify({ ...report, visitors }, null, 2));
  const times = failovers.map(({ backAfterMs }) => backAfterMs).sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const worst = times.at(-1) ?? 0;
  const tooLong = times.filter((ms) => ms >= longestOutageMs).length;
  say(`back after ${seconds(median)} (median), ${seconds(worst)} (worst)`);
  say(
    `${visitors.signIns} sign-ins answered as done, ${visitors.signInsLost} lost; ${visitors.saves} saves, ${visitors.savesLost} lost; ${visitors.refused} requests refused`,
  );
  return describeCounty(report) + visitors.signInsLost + visitors.savesLost + tooLong;
}

/** @returns how many promises were broken */
function describeCounty(report: CountyReport): number {
  const { missing, textsTwice, mailsTwiceUnexplained, receiptsMissing, post, reminders } = report;
  const scansWrong = post.scansMissing + post.scansMiscounted + post.statusesStale;
  const remindersWrong =
    reminders.remindersMissing + reminders.remindersTwice + reminders.remindersAfterFix;
  say(
    `${report.messages} messages, ${missing} missing; twice: ${textsTwice} texts, ${report.mailsTwice} mails (the documented window: killed between the mail server's answer and our record)`,
  );
  say(
    `${post.scans} scans answered as kept, ${post.scansMissing} missing, ${post.scansMiscounted} recorded twice or not at all; ${post.sentAgain} sendings repeated`,
  );
  say(
    `${reminders.open} envelopes to fix, ${reminders.remindersMissing} not reminded of, ${reminders.remindersTwice} twice; ${reminders.fixed} fixed, ${reminders.remindersAfterFix} reminded of afterwards`,
  );
  return (
    missing + textsTwice + mailsTwiceUnexplained + receiptsMissing + scansWrong + remindersWrong
  );
}
