import type { PastBallot } from '@ballot-beacon/contract/ballot-status-progress';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { branding, pastBallots, readTexts } from '../../../gallery/fixtures.ts';
import { wordsOf } from '../../../gallery/read-page.tsx';
import { PageContext } from '../../shell/page-context.ts';
import { createPageTexts, TextsContext } from '../../shell/texts.ts';
import { PastBallots } from './past-ballots.tsx';

const texts = createPageTexts('english', await readTexts('english'), true);

function read(ballots: readonly PastBallot[], isAlone: boolean): string {
  const html = renderToStaticMarkup(
    <TextsContext value={texts}>
      <PageContext value={{ branding, flags: {}, languageOffer: undefined }}>
        <PastBallots ballots={ballots} isAlone={isAlone} />
      </PageContext>
    </TextsContext>,
  );
  return wordsOf(html).trim();
}

test.each([
  [true, 'You have no previous mail ballots on record.'],
  [false, ''],
])('without ballots, in a tab of their own %s, they say %j', (isAlone, said) => {
  expect(read([], isAlone)).toBe(said);
});

test('each past ballot has its election, or else its status, and the day where it is known', () => {
  const [known] = pastBallots;
  const one = { ...known, ballot_id: 1, display_name: 'Accepted' } as PastBallot;
  const words = read([one, { ...one, ballot_id: 2, election_name: '', datetime: null }], false);
  expect(words).toMatch(/General Election Accepted · 3\/18\/26 Accepted Accepted$/);
});
