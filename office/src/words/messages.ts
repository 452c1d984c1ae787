import type { Channel, MessageKind, MessageState } from '@ballot-beacon/contract/messages';

const kinds = {
  'message.kind.status': 'New ballot status',
  'message.kind.catch-up': 'Ballot status after confirming an address',
  'message.kind.correction': 'Correction',
  'message.kind.opt-in': 'Question whether to send texts',
  'message.kind.confirmed': 'Answer to YES',
  'message.kind.stopped': 'Answer to STOP',
  'message.kind.help': 'Answer to HELP',
  'message.kind.welcome': 'Request to confirm an email address',
  'message.kind.news-waiting': 'Notice that there is news',
  'message.kind.change': 'Notice that alerts were changed',
  'message.kind.registered': 'Notice of a first sign-up',
  'message.kind.contact-code': 'Code to show contact details',
  'message.kind.fix-reminder': 'Reminder to fix an envelope',
  'message.kind.stopped-mail': 'Ballot that stopped in the mail',
} as const satisfies Readonly<Record<`message.kind.${MessageKind}`, string>>;

const states = {
  'message.state.created': 'Waits for its time',
  'message.state.held': 'Waits for approval',
  'message.state.sending': 'Being sent',
  'message.state.sent': 'Sent',
  'message.state.delivered': 'Delivered',
  'message.state.failed-permanent': 'Refused: it can never arrive at this address',
  'message.state.failed-temporary-exhausted': 'Not delivered after several tries',
  'message.state.outcome-unknown': 'Perhaps sent: the provider did not answer',
  'message.state.superseded': 'Not sent: a newer status came first',
  'message.state.withdrawn': 'Not sent: withdrawn',
  'message.state.expired': 'Not sent: too late to be of use',
} as const satisfies Readonly<Record<`message.state.${MessageState}`, string>>;

const channels = {
  'channel.email': 'Email',
  'channel.sms': 'Text message',
  'channel.voice': 'Call',
} as const satisfies Readonly<Record<`channel.${Channel}`, string>>;

/** The console's texts about messages and what became of them. */
export const messages = {
  ...kinds,
  ...states,
  ...channels,
  'messages.title': 'Messages',
  'messages.help':
    'Every message to voters, without those to confidential voters. Each look is recorded.',
  'messages.kind': 'Kind',
  'messages.channel': 'Sent by',
  'messages.language': 'Language',
  'messages.outcome': 'Outcome',
  'messages.outcome.waiting': 'Waiting',
  'messages.outcome.sent': 'Sent, no report yet',
  'messages.outcome.delivered': 'Delivered',
  'messages.outcome.failed': 'Failed',
  'messages.outcome.unsent': 'Not sent',
  'messages.all': 'All',
  'messages.none': 'No message matches.',
  'messages.created': 'Created',
  'messages.voter': 'Voter ID',
  'messages.state': 'State',
  'message.title': 'Message {{id}}',
  'message.address': 'Address',
  'message.after': 'Not before',
  'message.sent': 'Handed over',
  'message.provider': 'Provider',
  'message.attempts': 'Tries',
  'message.error': 'Error',
  'message.file': 'About file',
  'message.receipts': 'What the provider reported',
  'message.receipts.none': 'Nothing yet.',
  'message.outcome.delivered': 'Delivered',
  'message.outcome.failed-permanent': 'Refused for good',
  'message.outcome.failed-temporary': 'Failed for now',
  'message.outcome.complained': 'Marked as unwanted by its reader',
  'message.text': 'The text of this kind',
  'message.text.help': 'In your office’s words, with an invented voter.',
} as const;
