/** The console's texts about QR codes. */
export const codes = {
  'nav.codes': 'QR codes',
  'codes.title': 'QR codes',
  'codes.help':
    'With a code and the date of birth, a voter signs in. Give files to nobody but your print shop, and delete them afterward. Each file is on record with your name.',
  'codes.none': 'No election yet. An administrator adds it.',
  'codes.election': 'Election',
  'codes.voter': 'Voter ID',
  'codes.voter.help': 'Empty: all voters.',
  'codes.ballots': 'On ballots',
  'codes.ballots.help':
    'A code for each ballot of the election; it never changes. Confidential voters are not in it.',
  'codes.letters': 'Letters to confidential voters',
  'codes.letters.help':
    'A code for each active confidential voter who has none that works. It is shown only in this file, works until the election ends and for 180 days at most, and asks for the date of birth.',
  'codes.renew': 'Replace the codes that still work; they end at once',
  'codes.renew.sure':
    'Replace every letter code of this election? Letters that were sent stop working.',
  'codes.table': 'Download a table (CSV)',
  'codes.sheet': 'Download a sheet to print (PDF)',
  'codes.done': 'Your browser has saved {{file}}. Delete it when you no longer need it.',
} as const;
