import type { Ballot } from '@ballot-beacon/contract/ballot-status-progress';
import type { Branding } from '@ballot-beacon/contract/branding';
import { formatsFor } from '@ballot-beacon/contract/formats';
import { createTranslate } from '@ballot-beacon/contract/translate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import english from '../../../../locales/english/main.json' with { type: 'json' };
import { writeKeptPage } from './kept-page.ts';

const parts = {
  language: 'english',
  t: createTranslate('english', english),
  formats: formatsFor('english', 'America/New_York'),
} as const;

const ballotOf = (words: string, isActive = true) =>
  ({
    election: { election_name: words, election_is_active: isActive },
    status_summary: { current_status: { display_description: words, datetime: '2026-11-18' } },
  }) as Ballot;

function pageOf(words: string, ballots = [ballotOf(words)]) {
  const branding = { name: words, contact_phone: '+13525550100' } as Branding;
  const progress = {
    ballots,
    as_of: '2026-11-21T23:44:00Z',
    answered_at: '2026-11-23T12:00:00Z',
  };
  const asked = { language: 'english', at: 0, clock: 0 } as const;
  return writeKeptPage({ progress, no_ballot_status: null, asked }, { ...parts, branding }).html;
}

test('what is kept says as of when, the day, and whom to call', () => {
  const html = pageOf('General');
  expect(html).toContain('Last known status as of Nov 21, 6:44');
  expect(html).toContain('Updated Nov 18');
  expect(html).toContain('<a href="tel:+13525550100">Call \u2066(352) 555-0100\u2069</a>');
});

test('no ballot of an election that is over is kept', () => {
  const html = pageOf('x', [ballotOf('Spring', false), ballotOf('Fall')]);
  expect([html.includes('Fall'), html.includes('Spring')]).toEqual([true, false]);
});

test('nothing that an office writes becomes an element of the page', () => {
  const elements = (html: string) => html.match(/<[a-z!/][^>]*>/gi);
  const plain = elements(pageOf('x'));
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('<img src=x>', '</section>', '"><b>', "'"),
      (text, bad) => {
        expect(elements(pageOf(text + bad))).toEqual(plain);
      },
    ),
  );
});
