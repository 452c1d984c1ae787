/** The console's texts about the files of translators. */
export const translations = {
  'translations.title': 'Translators’ files: {{language}}',
  'translations.help':
    'For an agency: all that your office wrote in English, with what you have in {{language}} beside it, as XLIFF 1.2, which translation tools read. What comes back becomes drafts. Voters see nothing of it before you publish each one.',
  'translations.download': 'Download for translators',
  'translations.choose': 'Choose the translated file (.xlf, at most {{size}})',
  'translations.tooLarge': 'This file is too large: at most {{size}}.',
  'translations.drafted_one':
    '{{count}} draft in {{language}} was saved. Look at it, then publish it.',
  'translations.drafted_other':
    '{{count}} drafts in {{language}} were saved. Look at each, then publish it.',
  'translations.drafted.none': 'No drafts were saved.',
  'translations.unchanged_one': '{{count}} text says already what the file says.',
  'translations.unchanged_other': '{{count}} texts say already what the file says.',
  'translations.untranslated_one': '{{count}} text is not translated in the file.',
  'translations.untranslated_other': '{{count}} texts are not translated in the file.',
  'translations.refused_one': '{{count}} text was not taken from the file:',
  'translations.refused_other': '{{count}} texts were not taken from the file:',
} as const;
