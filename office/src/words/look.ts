/** The console's texts about how an office's page looks. */
export const look = {
  'nav.look': 'Look and notice',
  'look.title': 'Look and notice',
  'look.help':
    'What voters see beside your words. Try it on the voter’s page below first. A change counts within a second.',
  'look.done': 'Changed. Voters see it now.',
  'look.preview.now': 'The voter’s page as it is now. Nothing in it can be used.',
  'look.preview.tried': 'The voter’s page with what you are trying. No voter sees it yet.',
  'look.outage': 'Many people are using the site',
  'look.outage.help':
    'A banner on the sign-in page apologizes for the wait. Turn it on when voters cannot get through, and off again afterward.',
  'look.outage.words': 'Change its words',
  'look.outage.try.on': 'See it with the banner',
  'look.outage.try.off': 'See it without the banner',
  'look.outage.turn.on': 'Turn the banner on',
  'look.outage.turn.off': 'Turn the banner off',
  'look.outage.sure.on': 'Turn the banner on? Every voter sees it at once.',
  'look.outage.sure.off': 'Turn the banner off? No voter sees it then.',
  'look.outage.undo': 'Undo the last change of the banner',
  'look.outage.undo.sure': 'Undo the last change of the banner? Every voter sees that at once.',
  'look.outage.history': 'Who changed the banner',
  'look.color': 'Color',
  'look.color.help':
    'Of buttons and links. A color that could not be read is made darker, or lighter on dark screens.',
  'look.color.choose': 'Choose a color (now {{color}})',
  'look.color.use': 'Use {{color}}',
  'look.color.keep': 'Keep the color as it is',
  'look.color.sure': 'Use {{color}}? Every voter sees it at once.',
  'look.color.undo': 'Go back to {{color}}',
  'look.color.history': 'Who changed the color',
} as const;
