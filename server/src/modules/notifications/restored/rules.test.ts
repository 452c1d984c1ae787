import { messageKinds } from '@ballot-beacon/contract/messages';
import { expect, test } from 'vitest';
import { mayBeRepeated } from './rules.ts';

test('after a restore, what files and scans cause may be the second of its kind, and what voters ask for is not', () => {
  const repeated = messageKinds.filter(mayBeRepeated).sort();
  expect(repeated).toEqual(
    ['status', 'catch-up', 'correction', 'news-waiting', 'fix-reminder', 'stopped-mail'].sort(),
  );
});
