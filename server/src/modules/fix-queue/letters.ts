import { localDay } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/postgres.ts';
import { type Account, type Election, listElections } from '../accounts/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { printFixLetters } from '../notifications/index.ts';
import type { QueuedFix } from './rules.ts';
import { recordLetters } from './store.ts';

/**
 * Writes letters to voters whom no message reaches, on record in the same transaction: if what comes after fails, nothing
 * counts as printed.
 *
 * @param tx as the office or the console
 * @returns a page for the printer, as HTML
 */
export async function printLetters(
  tx: Db,
  config: Config,
  by: {
    readonly account: Account;
    readonly actor: Actor;
    readonly now: Date;
    /** What the letters are of; left out: the active elections. */
    readonly election?: Election | undefined;
  },
  letters: readonly QueuedFix[],
): Promise<string> {
  const { account, actor, now, election } = by;
  const { accountId, timeZone } = account;
  const all = await listElections(tx, accountId);
  const names = new Map(all.map(({ number, name }) => [number, name]));
  await recordLetters(tx, accountId, letters, { by: actor, at: now });
  await recordAudit(tx, accountId, {
    actor,
    action: 'fix-letters.print',
    target: election?.number ?? '',
    details: { letters: letters.length },
  });
  const written = letters.map((fix) => ({ ...fix, election: names.get(fix.electionNumber) ?? '' }));
  return printFixLetters(tx, config, accountId, written, localDay(now, timeZone));
}
