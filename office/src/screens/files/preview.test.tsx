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
