import { errorCodes, type Problem } from '@ballot-beacon/contract/problem';
import { describe, expect, it, vi } from 'vitest';
import english from '../../../../locales/english/main.json' with { type: 'json' };
import { wordsOf } from '../../shell/alerts.ts';
import { readRefusal } from './sign-in.ts';

const oops = 'Oops! Something went wrong on our end. Please try your latest action again.';
const noMatch =
  "Your information doesn't match any voters in our system. Please double-check that what you've entered is correct and make sure that your first name is the same as your first name on your voter registration.";

/** What the form does with a refusal, in English words. */
function read(
  problem: Partial<Problem>,
  { availabilityUrl = null as string | null, retryAfter = 90 } = {},
) {
  const outcome = readRefusal(
    {
      kind: 'refused',
      retryAfter,
      problem: { title: '', status: 401, detail: '', ...problem },
    },
    {
      availabilityUrl,
      locale: 'en-US',
      county: 'Adams County',
      phone: '(352) 555-0100',
    },
  );
  const t = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    ((english as Record<string, string>)[key] ?? key).replaceAll(/\{\{(\w+)\}\}/g, (_, name) =>
      String(values[name]),
    );
  const alerts = 'alerts' in outcome ? outcome.alerts : [];
  return {
    next: outcome.type,
    type: alerts.map((alert) => alert.type),
    words: alerts.flatMap((alert) => alert.messages.map((message) => wordsOf(message, t))),
    isNoMatch: 'isNoMatch' in outcome && outcome.isNoMatch,
    important: alerts.flatMap((alert) =>
      alert.messages.filter((message) => message.important).map((message) => wordsOf(message, t)),
    ),
    links: alerts.flatMap((alert) => alert.messages.flatMap((message) => message.href ?? [])),
  };
}

describe('a sign-in that was refused', () => {
  it.each(['Invalid credentials', 'Failed Validation'])(
    'for “%s” says that nobody matches, and what to check',
    (detail) => {
      const shown = read({ detail, 'error-code': 8888 });
      expect(shown).toMatchObject({ next: 'ERROR', type: ['error'], links: [] });
      expect(shown.words).toEqual(['Invalid credentials', noMatch]);
      expect(shown.important).toEqual(['Invalid credentials']);
      // What could not be read was compared with nobody.
      expect(shown.isNoMatch).toBe(detail === 'Invalid credentials');
    },
  );

  it('lists each message of the server as a line that is not important', () => {
    const shown = read({
      status: 422,
      detail: 'Failed Validation',
      validation_messages: { zipcode: { format: 'Zip code must be 5 digits.' } },
    });
    expect(shown.words).toContain('Zip code must be 5 digits.');
    expect(shown.important).toEqual(['Invalid credentials']);
  });

  it('on a site of no county links to where the product is available', () => {
    const shown = read(
      { detail: 'Invalid credentials' },
      { availabilityUrl: 'https://availability.example' },
    );
    expect(shown.links).toEqual(['https://availability.example']);
  });

  it.each([
    [8889, 'AMBIGUOUS'],
    [8890, 'TOKEN'],
    [9999, 'ERROR'],
    [8888, 'ERROR'],
    [1234, 'ERROR'],
    [undefined, 'ERROR'],
  ])('with the error code %s goes on as %s, whatever the words say', (code, next) => {
    expect(read({ detail: 'Words', ...(code && { 'error-code': code }) }).next).toBe(next);
  });

  it('for ambiguous credentials asks for the voter ID by a notice', () =>
    expect(read({ detail: 'Ambiguous Credentials', 'error-code': 8889 })).toMatchObject({
      next: 'AMBIGUOUS',
      type: ['notice'],
      words: [
        'Your information matches someone else from our records. Please enter your voter ID to verify your account.',
      ],
    }));

  it('for a missing token asks for it by a notice', () =>
    expect(read({ detail: 'Token Required', 'error-code': 8890 })).toMatchObject({
      next: 'TOKEN',
      type: ['notice'],
      words: ['Your county requires an enhanced security token to sign in.'],
    }));

  it.each([9999, errorCodes.moreWork])(
    'for a CAPTCHA that is invalid or too easy, %s, asks to refresh the page',
    (code) =>
      expect(read({ detail: 'Invalid ReCAPTCHA', 'error-code': code })).toMatchObject({
        next: 'ERROR',
        words: ['Please refresh the page and try again.'],
      }),
  );

  it('for a name that failed too often names every other way in', () => {
    const shown = read({ detail: 'Another Proof Required', 'error-code': 8891 });
    expect(shown).toMatchObject({ next: 'ERROR', type: ['error'] });
    expect(shown.words.join(' ')).toMatch(
      /QR code .* phone or computer .* call Adams County at \(352\) 555-0100/,
    );
  });

  it('for too many tries says when to try again', () => {
    vi.useFakeTimers({ now: new Date(2026, 10, 3, 15, 13, 30) });
    try {
      expect(read({ status: 429, detail: 'Too Many Attempts' }).words.join(' ')).toMatch(
        /try again at 3:15\sPM/,
      );
      const tomorrow = read({ status: 429, detail: 'Too Many Attempts' }, { retryAfter: 86_000 });
      expect(tomorrow.words.join(' ')).toMatch(/try again at Nov 4, 3:0\d\sPM/);
    } finally {
      vi.useRealTimers();
    }
  });

  it('for anything else says Oops, with the number to give to support where there is one', () => {
    expect(read({ status: 500, detail: 'Internal Server Error' }).words).toEqual([oops]);
    const shown = read({ status: 500, detail: 'Internal Server Error', err_id: '7f3a19' });
    expect(shown).toMatchObject({ next: 'ERROR', type: ['error'] });
    expect(shown.words.join(' ')).toContain(oops);
    expect(shown.words.join(' ')).toContain('7f3a19');
    expect(read({ 'error-code': 1234 }).words).toEqual([oops]);
  });
});
