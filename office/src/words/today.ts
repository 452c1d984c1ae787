/** The console's texts about what needs a person now. */
export const today = {
  'today.title': 'Today',
  'today.help': 'What needs a person now, and how things stand.',
  'today.attention': 'Needs a person now',
  'today.nothing': 'Nothing needs a person now.',
  'today.uploadsWaiting_one':
    '{{count}} uploaded file is checked and waits for its decision. Nothing of it is loaded.',
  'today.uploadsWaiting_other':
    '{{count}} uploaded files are checked and wait for their decision. Nothing of them is loaded.',
  'today.filesWaiting_one': '{{count}} file is waiting for approval. Nothing of it is loaded.',
  'today.filesWaiting_other':
    '{{count}} files are waiting for approval. Nothing of them is loaded.',
  'today.messagesWaiting_one':
    'The messages of {{count}} file are waiting for approval. Its ballots are loaded.',
  'today.messagesWaiting_other':
    'The messages of {{count}} files are waiting for approval. Their ballots are loaded.',
  'today.requestsWaiting_one':
    '{{count}} request to confirm an address is waiting, because visitors reached your daily limit.',
  'today.requestsWaiting_other':
    '{{count}} requests to confirm an address are waiting, because visitors reached your daily limit.',
  'today.requestsWaiting.ask': 'An administrator of your office can send or discard them.',
  'today.attack.spraying':
    'Somebody tried to sign in as many of your voters, last {{last}}. They now have to wait. Ask your system administrator to look into it.',
  'today.attack.preferences-changed-in-mass':
    'Somebody changed where messages to many of your voters go, last {{last}}. Their earlier addresses got a notice. Ask your system administrator to look into it.',
  'today.feedLate': 'The file {{format}} is late. The last one came {{last}}.',
  'today.feedNever': 'The file {{format}} has never come.',
  'today.ballots': 'Ballots',
  'today.ballots.none': 'No current election.',
  'today.ballots.empty': 'No ballots loaded yet.',
  'today.messages': 'Messages of the last 7 days',
  'today.messages.none': 'No messages in the last 7 days.',
  'today.trouble':
    '{{channel}}: the service that takes these messages has trouble, so they may come late. Ask your system administrator to look into it.',
  'today.signIns': 'Voters’ sign-ins of the last 24 hours',
  'today.signIns.signedIn': 'Signed in',
  'today.signIns.refused': 'Details did not match',
  'today.signIns.locked': 'Locked after too many tries',
  'today.feeds': 'Files expected',
  'today.feeds.none': 'No files yet.',
} as const;
