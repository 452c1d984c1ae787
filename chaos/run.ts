import { runChaos } from './chaos.ts';

/** `npm run chaos`: 200 kills, or as many as the first argument says; exit 1 when a promise was broken. */
const kills = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
process.stdout.write(`${kills} kills, seed ${seed}\n`);
const report = await runChaos({
  kills,
  seed,
  onKill: (count, victim) => {
    if (count % 10 === 0) process.stdout.write(`${count} kills, the last one of the ${victim}\n`);
  },
});
const { missing, textsTwice, mailsTwiceUnexplained, receiptsMissing, post, reminders } = report;
const scansWrong = post.scansMissing + post.scansMiscounted + post.statusesStale;
const remindersWrong =
  reminders.remindersMissing + reminders.remindersTwice + reminders.remindersAfterFix;
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(
  `${report.messages} messages, ${missing} missing; twice: ${textsTwice} texts, ${report.mailsTwice} mails (the documented window: killed between the mail server's answer and our record)\n`,
);
process.stdout.write(
  `${post.scans} scans answered as kept, ${post.scansMissing} missing, ${post.scansMiscounted} recorded twice or not at all; ${post.sentAgain} sendings repeated\n`,
);
process.stdout.write(
  `${reminders.open} envelopes to fix, ${reminders.remindersMissing} not reminded of, ${reminders.remindersTwice} twice; ${reminders.fixed} fixed, ${reminders.remindersAfterFix} reminded of afterwards\n`,
);
const broken =
  missing + textsTwice + mailsTwiceUnexplained + receiptsMissing + scansWrong + remindersWrong;
process.exitCode = broken === 0 ? 0 : 1;
