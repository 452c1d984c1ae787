import type { ListedUpload } from '@ballot-beacon/contract/office/uploads';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import type * as Module from './uploads.tsx';

let Uploads: (typeof Module)['Uploads'];
beforeAll(async () => {
  vi.stubGlobal('addEventListener', () => {});
  ({ Uploads } = await import('./uploads.tsx'));
});
afterAll(() => vi.unstubAllGlobals());

const upload = (upload_id: number, state: ListedUpload['state']): ListedUpload => ({
  ...{ upload_id, file_name: `roll-${upload_id}.csv`, size: 4_194_304, received_bytes: 1_048_576 },
  ...{ state, is_own: true, uploaded_by: 'Ina Wolf', created_at: '2026-11-20T05:30:00Z' },
});

test('each file that nobody has decided says how far it is, or else its size, who sent it and when', async () => {
  const { html, links } = await showScreen(<Uploads />, {
    listUploads: {
      uploads: [upload(7, 'receiving'), upload(8, 'ready')],
      ...{ most_bytes: 1, formats: [], elections: [] },
    },
  });
  const lines = [...html.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([line]) =>
    line.replaceAll(/<[^>]*>/g, ''),
  );
  expect(lines).toEqual([
    expect.stringMatching(/^roll-7\.csv .*25\s?%.*, Ina Wolf, Nov 19, 2026, 7:30/),
    expect.stringMatching(/^roll-8\.csv .* 4 MB, Ina Wolf, Nov 19, 2026, 7:30/),
  ]);
  expect(links['roll-8.csv']).toBe('/office/files/uploads/8');
});

test('without such a file the list says so', async () => {
  const listUploads = { uploads: [], most_bytes: 1, formats: [], elections: [] };
  const { html, words } = await showScreen(<Uploads />, { listUploads });
  expect(html).not.toContain('<li>');
  expect(words).toContain('No uploaded file waits');
});
