import { isLanguage } from '@ballot-beacon/contract/languages';
import type { Channel } from '@ballot-beacon/contract/messages';
import type { Config } from '../../../platform/config.ts';
import type { AccountId, ImportId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import { listOpenFixes, type OpenFix } from '../../ballots/index.ts';
import { fixLinkPath } from '../links.ts';
import { readOffice, wordsOf } from '../office/store.ts';
import { expectedDay, isDayHere, renderMessage } from '../texts/render.ts';
import { readMessageGroups } from './store.ts';

/** Messages of one kind, language and channel that an import would send. */
export interface PreviewedMessage {
  /** A ballot's status, or the kind of another message. */
  readonly about: string;
  readonly language: string;
  readonly channel: Channel;
  readonly count: number;
  readonly subject: string | null;
  /** As one of these voters would get it; its links and its code are examples. */
  readonly text: string;
}

const exampleCode = '00000000';

/** What a message says of an envelope to fix, where its deadline is known. */
function fixOf(fix: OpenFix | undefined) {
  return fix?.deadline ? { ...fix, deadline: fix.deadline } : null;
}

/** The messages of an import that is still in its transaction, by kind, language and channel, the most frequent first. */
export async function previewImport(
  tx: Db,
  config: Config,
  accountId: AccountId,
  importId: ImportId,
  now: Date,
): Promise<PreviewedMessage[]> {
  const groups = await readMessageGroups(tx, importId);
  if (groups.length === 0) return [];
  const office = await readOffice(tx, config, accountId);
  const { account, origin } = office;
  const toFix = groups.filter(({ status }) => status === 'rejected-curable');
  const fixes = await listOpenFixes(
    tx,
    account,
    toFix.flatMap(({ ballotId }) => (ballotId === null ? [] : [ballotId])),
  );
  return groups.map((group) => {
    const { channel, count, kind, status } = group;
    const words = wordsOf(office, kind);
    const wanted = isLanguage(group.language) ? group.language : 'english';
    const { t, language } = office.translate(wanted);
    const facts = {
      about: kind === 'catch-up' ? ('status' as const) : kind,
      status,
      name: group.name,
      election: group.election,
      electionDate: group.electionDate,
      isDayHere: isDayHere(group.electionDate, now, account.timeZone),
      date: null,
      actionUrl: kind === 'news-waiting' ? `${words.url}?code=EXAMPLE` : null,
      unsubscribeUrl: `${words.url}/unsubscribe?key=EXAMPLE`,
      code: exampleCode,
      fixUrl: status === 'rejected-curable' ? `${origin}${fixLinkPath}/${exampleCode}` : null,
      fix: fixOf(fixes.find(({ ballotId }) => ballotId === group.ballotId)),
      isCountingReported: account.settings.reports_counted,
      expectedOn: account.settings.is_ballot_status_dates_visible
        ? expectedDay(group.expectedOn, now, account.timeZone)
        : null,
    };
    const { subject, body } = renderMessage(channel, facts, words, t, language);
    return { about: status ?? kind, language, channel, count, subject, text: body };
  });
}
