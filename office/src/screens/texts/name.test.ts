import { expect, test } from 'vitest';
import { helpOfText, nameOfText } from './name.tsx';

test.each([
  ['faq', 'Questions and answers', /^The page that is linked below every page\.$/],
  ['main:title.login', 'title.login', /^A single text, named main:title\.login\.$/],
  ['messages:sms.sent', 'sms.sent', /^A text of messages, named messages:sms\.sent\./],
])('the text %s is called %j, and its help says what it is: %s', (text, name, help) => {
  expect(nameOfText(text)).toBe(name);
  expect(helpOfText(text)).toMatch(help);
});
