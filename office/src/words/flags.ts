import type { FlagKey } from '@ballot-beacon/contract/flags';

const meanings = {
  'flag.voterOutage': 'Many visitors',
  'flag.voterOutage.help':
    'A banner on the sign-in page says that many people are using it, and apologizes for the wait.',
  'flag.voterUiEstimatedDeliveryDate': 'Expected days of delivery',
  'flag.voterUiEstimatedDeliveryDate.help':
    'Voters whose ballot is in the mail see between which days it should arrive.',
  'flag.tabbedBallots': 'Past ballots in a tab of their own',
  'flag.tabbedBallots.help':
    'Current and past ballots are in two tabs. Off: the past ones are below the current ones.',
} as const satisfies Readonly<Record<`flag.${FlagKey}` | `flag.${FlagKey}.help`, string>>;

/** The console's texts about parts of the page that can be turned on and off. */
export const flags = {
  ...meanings,
  'nav.flags': 'Switches',
  'flags.title': 'Switches',
  'flags.help': 'Parts of the voter’s page that you turn on and off. A change counts at once.',
  'flags.elsewhere':
    'This office’s switches are in LaunchDarkly. What you choose here has no effect while that is so.',
  'flags.now': 'Now: {{state}}',
  'flags.state.on': 'On',
  'flags.state.off': 'Off',
  'flags.state.rule': 'By a rule of your operator',
  'flags.usual': 'As usual ({{value}})',
  'flags.on': 'on',
  'flags.off': 'off',
  'flags.turn': '{{flag}}: {{state}}',
  'flags.last': 'Last change: {{at}}, {{who}}: {{from}} → {{to}}',
  'flags.undo': 'Undo',
  'flags.undoOf': 'Undo the last change of “{{flag}}”',
  'flags.done': '“{{flag}}” was changed.',
} as const;
