/** The console's texts about an office's images. */
export const images = {
  'images.title': 'Logo and photograph',
  'images.help':
    'Voters see them on every page, within a second. PNG, JPEG, WebP or SVG. Show no faces and no ballots that somebody could read.',
  'image.logo': 'Logo, at most {{size}}',
  'image.background': 'Photograph behind the sign-in form, at most {{size}}',
  'image.none': 'None now.',
  'image.alt.logo': 'The logo that voters see now',
  'image.alt.background': 'The photograph that voters see now',
  'image.tooLarge': 'This file is too large: at most {{size}}.',
  'image.saved': 'Saved. Voters see it now.',
  'image.removed': 'Removed. Voters see none now.',
  'image.remove.logo': 'Remove the logo',
  'image.remove.background': 'Remove the photograph',
  'image.undone': 'Undone. Voters see what they saw before.',
  'image.undo.restore': 'Bring back the {{kind}} before',
  'image.undo.remove': 'Undo: show no {{kind}}, as before',
  'image.kind.logo': 'logo',
  'image.kind.background': 'photograph',
  'image.undo.sure': 'Undo the last change? Every voter sees that at once.',
  'image.sure': 'Remove it? Every voter sees that at once. You can bring it back for 30 days.',
} as const;
