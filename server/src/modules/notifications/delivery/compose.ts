import { type Language, languages } from '@ballot-beacon/contract/languages';
import type { Secrets } from '../../../platform/secrets.ts';
import type { OutboundMessage } from '../channels/provider.ts';
import { codeIdOf } from '../enqueue/limits-store.ts';
import { confirmationCode, contactCode, fixLinkPath, unsubscribeKey } from '../links.ts';
import { messageCode } from '../message-codes.ts';
import { type Office, wordsOf } from '../office/store.ts';
import { expectedDay, isDayHere, type MessageFacts, renderMessage } from '../texts/render.ts';
import type { ClaimedMessage } from './store.ts';
import type { Subject } from './subjects.ts';

/** Writes a claimed message as its provider gets it; `gaps` names missing values. */
export function composeMessage(
  claimed: ClaimedMessage,
  office: Office,
  settings: { readonly secrets: Secrets; readonly mailDomain: string },
  { fix, stop }: Subject,
): { message: OutboundMessage; gaps: readonly string[] } {
  const { channel, address, account_id: accountId } = claimed;
  const { secrets, mailDomain } = settings;
  const { account, origin } = office;
  const words = wordsOf(office, claimed.kind);
  const wish = Object.hasOwn(languages, claimed.language)
    ? (claimed.language as Language)
    : 'english';
  const { t, language } = office.translate(wish);
  const key = channel === 'email' ? unsubscribeKey(secrets, { accountId, email: address }) : '';
  const query = `key=${key}&email=${encodeURIComponent(address)}`;
  const isCode = claimed.kind === 'contact-code';
  const isNotice = claimed.kind === 'change' || claimed.kind === 'registered' || isCode;
  const hasUnsubscribe = channel === 'email' && !isNotice;
  const isQuestion = claimed.kind === 'welcome' || claimed.kind === 'news-waiting';

  const code = messageCode(secrets, accountId, claimed.message_id);
  const facts: MessageFacts = {
    about: claimed.kind === 'catch-up' ? 'status' : claimed.kind,
    status: claimed.status,
    name: claimed.name,
    election: claimed.election_name ?? '',
    electionDate: claimed.election_date,
    isDayHere: isDayHere(claimed.election_date, claimed.claimed_at, account.timeZone),
    ...(isCode && {
      proof: contactCode(secrets, { accountId, codeId: codeIdOf(claimed.cause), address }),
    }),
    date: claimed.corrected_at?.toISOString() ?? null,
    fixUrl: claimed.status === 'rejected-curable' ? `${origin}${fixLinkPath}/${code}` : null,
    actionUrl:
      isQuestion && claimed.voter_id !== null
        ? `${words.url}?code=${confirmationCode(secrets, { accountId, voterId: claimed.voter_id, email: address, askedId: claimed.asked_id ?? 0 }, claimed.claimed_at)}`
        : null,
    code,
    unsubscribeUrl: hasUnsubscribe ? `${words.url}/unsubscribe?${query}` : null,
    fix: fix ?? null,
    stop: stop?.text ?? null,
    isCountingReported: account.settings.reports_counted,
    expectedOn: account.settings.is_ballot_status_dates_visible
      ? expectedDay(claimed.office_expected_on, claimed.claimed_at, account.timeZone)
      : null,
  };
  const rendered = renderMessage(channel, facts, words, t, language);
  return {
    gaps: rendered.gaps,
    message: {
      accountId,
      messageId: claimed.message_id,
      reference: `beacon-${claimed.message_id}`,
      channel,
      from: senderOf(channel, account, mailDomain),
      fromName: account.name,
      replyTo: channel === 'email' && words.email !== '' ? words.email : null,
      to: address,
      subject: rendered.subject,
      body: rendered.body,
      html: rendered.html,
      languageTag: languages[language].tag,
      unsubscribe: hasUnsubscribe
        ? {
            page: `${words.url}/unsubscribe?${query}`,
            oneClick: `${origin}/api/voter/unsubscribe?${query}`,
          }
        : null,
    },
  };
}

function senderOf(
  channel: ClaimedMessage['channel'],
  account: Office['account'],
  mailDomain: string,
): string {
  if (channel === 'email') return `${account.subdomain}@${mailDomain}`;
  if (channel === 'sms') return account.settings.short_code;
  return account.settings.from_voice ?? '';
}
