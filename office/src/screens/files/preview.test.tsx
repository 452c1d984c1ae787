import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import type { UploadPreview } from '@ballot-beacon/contract/office/uploads';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SessionProvider } from '../../shell/session.tsx';
import { Preview } from './preview.tsx';

const session: OfficeSession = {
  ...{ office: 'Adams Elections', time_zone: 'UTC', person_id: 1, name: 'Ina Wolf' },
  ...{ roles: ['importer'], permissions: ['counts', 'files', 'import'], method: 'passkey' },
  ...{ proof_ends_at: '2026-11-03T20:05:00Z', ends_at: '2026-11-04T04:00:00Z', idle_seconds: 900 },
};
const preview: UploadPreview = {
  ...{ checked_at: '2026-11-03T20:00:00Z', outcome: 'ready', format: 'beacon-ballots' },
  holds: 'ballots',
  rows: { read: 2, added: 0, changed: 2, unchanged: 0, refused: 0, passed_over: 0 },
  ...{ counts: [], reasons: [], message_reasons: [], refused_because: null, refusals: [] },
  ...{ refused_rows: [], warnings: [], unknown_statuses: [], unknown_columns: [], samples: [] },
  ...{ messages: [], last_message_at: null },
};

const readWords = (of: UploadPreview): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <SessionProvider session={session} provider={null} onSession={() => {}}>
        <Preview preview={of} />
      </SessionProvider>
    </QueryClientProvider>,
  ).replaceAll(/<[^>]*>/g, '|');

test('an example of a change names the voter, and says of a confidential voter that the name is not shown', () => {
  const changes = [{ what: 'status', from: 'sent', to: '' }];
  const words = readWords({
    ...preview,
    samples: [
      { voter: 'V1', name: 'Ines Marlowe', changes },
      { voter: 'V2', name: '', changes },
    ],
  });
  expect(words).toMatch(/\|V1\|+Ines Marlowe\|/);
  expect(words).toMatch(/\|V2\|+Confidential\|/);
  expect(words).toContain('Mailed to the voter → –');
  expect(readWords(preview)).not.toContain('Some of the changes');
});

test('the first lines say what a file would do and every reason why not', () => {
  const words = readWords({
    ...preview,
    ...{ outcome: 'refused', refused_because: 'It has no column of voters.' },
    ...{ reasons: ['Half of it is missing.'], message_reasons: ['They are many.'] },
  });
  for (const reason of ['It has no column of voters.', 'Half of it is missing.', 'They are many.'])
    expect(words).toContain(`|${reason}|`);
  expect(words).toContain('This file cannot be loaded:');
  expect(words).toContain('Its messages would wait');
  expect(readWords(preview)).not.toContain('Its messages would wait');
});

test('messages are counted over all kinds, and a roll sends none', () => {
  const message = {
    ...{ about: 'sent', language: 'spanish', channel: 'sms', subject: null, text: 'On its way.' },
    count: 1_200,
  };
  const messages = [message, { ...message, channel: 'email', count: 3, subject: 'News' }];
  const words = readWords({ ...preview, messages });
  expect(words).toContain('|1,203 messages.');
  expect(words).toContain('|Mailed to the voter, Text message, Spanish: 1,200|');
  expect(words).toContain('|Mailed to the voter, Email, Spanish: 3|');
  expect(words).toContain('|News|');
  expect(readWords(preview)).toContain('|None.');
  expect(readWords({ ...preview, holds: 'voters' })).not.toContain('Messages it would send');
});

test('refused rows are shown one by one, and counted by reason where none of them is', () => {
  const refusals = [{ reason: 'No such day', count: 2, line: 7 }];
  const row = { line: 7, column: 'born', value: '2/30', reason: 'No such day' };
  const rows = [row, { ...row, line: 1_200, column: null, value: '' }];
  const each = readWords({ ...preview, refusals, refused_rows: rows });
  expect(each.replaceAll(/\|+/g, '|')).toContain('|7|born|2/30|No such day|1,200|–|–|No such day|');
  expect(each).not.toContain('First on line');
  expect(readWords({ ...preview, refusals })).toContain('First on line');
});
