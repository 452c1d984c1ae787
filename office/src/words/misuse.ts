/** The console's texts about misuse of the voters' page. */
export const misuse = {
  'nav.misuse': 'Misuse',
  'misuse.title': 'Misuse',
  'misuse.help':
    'What to do when somebody misuses your voters’ page. Everything here is on record with your name.',
  'misuse.requests': 'Requests above the daily limit',
  'misuse.requests.help':
    'A voter who signs up is asked to confirm the address. Somebody can use that to write to strangers in your name, so requests above your daily limit wait until you decide. Few voters with many addresses, or many requests within minutes, speak for an attack. News about ballots is not among them, and goes out.',
  'misuse.channel': 'How',
  'misuse.today': 'Today',
  'misuse.today.of': '{{today}} of {{limit}}',
  'misuse.waiting': 'Waiting',
  'misuse.voters': 'Voters',
  'misuse.addresses': 'Addresses',
  'misuse.since': 'From, until',
  'misuse.decide': 'Decide',
  'misuse.send': 'Send',
  'misuse.sendOf': 'Send the requests: {{channel}}',
  'misuse.send.sure_one': 'Send {{count}} request? Today’s count starts from zero.',
  'misuse.send.sure_other': 'Send {{count}} requests? Today’s count starts from zero.',
  'misuse.discard': 'Discard',
  'misuse.discardOf': 'Discard the requests: {{channel}}',
  'misuse.discard.sure_one':
    'Discard {{count}} request? It is never sent: a voter who meant it signs up again. Today’s count starts from zero.',
  'misuse.discard.sure_other':
    'Discard {{count}} requests? They are never sent: voters who meant it sign up again. Today’s count starts from zero.',
  'misuse.sent_one': '{{count}} request is being sent.',
  'misuse.sent_other': '{{count}} requests are being sent.',
  'misuse.discarded_one': '{{count}} request was discarded.',
  'misuse.discarded_other': '{{count}} requests were discarded.',
  'misuse.sessions': 'Sign all voters out',
  'misuse.sessions.help':
    'After an incident, such as somebody who signed in as many voters. Every voter is signed out at once, everywhere, and signs in again. People at the console stay signed in.',
  'misuse.sessions.now_one': '{{count}} browser is signed in as a voter now.',
  'misuse.sessions.now_other': '{{count}} browsers are signed in as a voter now.',
  'misuse.sessions.why': 'Why',
  'misuse.sessions.why.help': 'For the log, such as “Letters with codes were stolen”.',
  'misuse.sessions.end': 'Sign all voters out',
  'misuse.sessions.sure':
    'Sign all voters out now? Who is reading the page has to sign in again. This cannot be undone.',
  'misuse.sessions.done_one': '{{count}} browser was signed out.',
  'misuse.sessions.done_other': '{{count}} browsers were signed out.',
  'misuse.log': 'Attacks and warnings in the log',
} as const;
