/** The console's texts about lists of ballots. */
export const ballots = {
  'ballots.title': 'Ballots',
  'ballots.with': 'Ballots: {{status}}',
  'ballots.help':
    'Ballots of election {{election}} as voters see them, without those of confidential voters. Each look is recorded.',
  'ballots.none': 'No ballot has this status now.',
  'ballots.number': 'Ballot number',
  'ballots.since': 'Since',
} as const;
