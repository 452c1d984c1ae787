import { fileURLToPath } from 'node:url';
import type { Language } from '@ballot-beacon/contract/languages';
import { describe, expect, test } from 'vitest';
import { readCatalog } from '../texts/index.ts';
import { findMessageProblem } from './message-rules.ts';

const catalog = readCatalog(fileURLToPath(new URL('../../../../locales', import.meta.url)));
const find = (key: string, body: string, language: Language = 'english') =>
  findMessageProblem(catalog, { key, language }, body);

test('each shipped message keeps the rules for an office’s own, in every language', () => {
  const broken = catalog.languages.flatMap((language) =>
    Object.entries(catalog.texts(language, 'messages')).flatMap(([key, text]) => {
      const problem = findMessageProblem(catalog, { key, language }, text);
      return problem === undefined ? [] : [`${language} ${key}: ${problem}`];
    }),
  );
  expect(broken).toEqual([]);
});

describe('an office’s own wording', () => {
  test.each([
    ['sms.sent', '{{office}}: {{name}}, your absentee ballot is in the mail. {{url}} STOP to end'],
    ['mail.sent.subject', 'Your vote-by-mail ballot is on its way'],
    ['mail.accepted.meaning', 'Good news! We accepted your absentee ballot for the {{election}}.'],
    ['mail.rejected.meaning', 'We could not accept your absentee ballot for the {{election}}.'],
    ['mail.cancelled.subject', 'Your absentee ballot has been cancelled: call us'],
  ])('of %s may be “%s”', (key, body) => expect(find(key, body)).toBeUndefined());

  test.each([
    ['sms.sent', '{{office}}: your ballot is in the mail. {{url}} STOP to end', 'missing: name'],
    ['sms.sent', '{{office}}: {{name}}, {{phone}} {{url}} STOP to end', 'extra: phone'],
    ['sms.sent', '{{office}}: {{name}}, your ballot is in the mail. {{url}}', 'Keep STOP'],
    [
      'sms.opt-in',
      '{{office}}: Get texts about your ballot. HELP for help, STOP to cancel.',
      'Keep YES',
    ],
    ['voice.greeting', 'Hello. This is {{office}} about a mail ballot.', 'Keep 9'],
    [
      'mail.sent.subject',
      'Your <b>ballot</b> is on its way',
      'Keep the HTML tags as they are in English: ',
    ],
    ['mail.sent.subject', 'Your ballot\nis on its way', 'one line'],
    ['mail.returned.meaning', 'We accepted your ballot for the {{election}}.', 'three events'],
    ['mail.accepted.meaning', 'We received your ballot for the {{election}}.', 'three events'],
    ['mail.sent.subject', 'Action needed: your ballot is on its way', '“action”'],
    ['mail.accepted.meaning', 'Your ballot for the {{election}} was not accepted.', '“not”'],
    ['sms.accepted', '{{office}}: {{name}}, accepted or denied? {{url}} STOP to end', '“denied”'],
    ['mail.cancelled.subject', 'About your ballot', 'Keep one of these words: cancelled'],
    [
      'mail.rejected.meaning',
      'Your ballot for the {{election}} was accepted.',
      'Keep one of these',
    ],
  ])('of %s may not be “%s”', (key, body, reason) => expect(find(key, body)).toContain(reason));

  test.each([
    ['mail.returned.meaning', '您的{{election}}选票已被接受。', 'chinese'],
    ['mail.sent.subject', 'Su boleta fue cancelada', 'spanish'],
    ['sms.sent', '{{office}}：{{name}}，您的选票已寄出。{{url}}', 'chinese'],
    ['sms.opt-in', '{{office}}: avisos de su boleta. HELP ayuda, STOP cancela.', 'spanish'],
  ] as const)('of %s may not be “%s” in another language', (key, body, language) =>
    expect(find(key, body, language)).toBeDefined(),
  );

  test('may have words that the message of a new ballot has too, as in Tagalog', () => {
    const body = 'Nasa koreo na ang bago ninyong balota';
    expect(find('mail.sent.subject', body, 'tagalog')).toBeUndefined();
  });

  test.each([
    ['mail.sent.subject', 120],
    ['mail.sent.next', 1000],
  ])('of %s has at most %i characters', (key, most) => {
    const date = key.endsWith('.next') ? '{{electionDate}}' : '';
    const of = (length: number) => date + 'a'.repeat(length - date.length);
    for (const length of [most - 1, most]) expect(find(key, of(length))).toBeUndefined();
    expect(find(key, of(most + 1))).toContain(`at most ${most}`);
  });
});
