import { expect, test } from 'vitest';
import { type Catalog, layOver, type Override, officeAlertKey } from './index.ts';

const catalog: Catalog = {
  languages: ['english', 'spanish', 'french'],
  version: '1',
  texts: (language, section) => ({ 'same.key': `shipped, ${language} ${section}` }),
  isReviewed: () => true,
  page: () => '',
};
const own = (
  language: Override['language'],
  section: string,
  key: string,
  value: string,
): Override => ({ language, section, key, value });

test('a text is that of its language and its section, in whichever order they are asked for', () => {
  const texts = layOver(catalog, [
    own('spanish', 'main', 'same.key', 'own, spanish main'),
    own('spanish', 'messages', 'same.key', 'own, spanish messages'),
    own('french', 'messages', 'same.key', 'own, french messages'),
  ]);
  const said = {
    'spanish main': 'own, spanish main',
    'spanish messages': 'own, spanish messages',
    'french main': 'shipped, french main',
    'french messages': 'own, french messages',
    'english main': 'shipped, english main',
    'english messages': 'shipped, english messages',
  };
  // A second time they come from memory.
  for (const [asked, text] of [...Object.entries(said), ...Object.entries(said)]) {
    const [language, section] = asked.split(' ') as ['spanish', 'main'];
    expect(texts.texts(language, section)).toEqual({ 'same.key': text });
    expect(texts.translator(language, section)('same.key')).toBe(text);
  }
  expect(texts.translator('spanish')('same.key')).toBe('own, spanish main');
});

test('an alert in English alone is for everybody, and takes the place of none in a language', () => {
  const texts = layOver(catalog, [
    own('english', 'main', officeAlertKey, '<p>Closed</p>'),
    own('spanish', 'main', officeAlertKey, '<p>Cerrado</p>'),
    own('english', 'messages', 'same.key', 'own'),
  ]);
  const alertIn = (language: 'english' | 'spanish' | 'french') =>
    texts.texts(language, 'main')[officeAlertKey];
  expect(alertIn('english')).toBe('<p>Closed</p>');
  expect(alertIn('spanish')).toBe('<p>Cerrado</p>');
  expect(alertIn('french')).toBe('<section lang="en" dir="ltr"><p>Closed</p></section>');
  expect(texts.texts('french', 'messages')).toEqual({ 'same.key': 'shipped, french messages' });
});
