import type { UploadAnswer } from '@ballot-beacon/contract/office/uploads';
import type { AccountId } from '../../server/src/platform/ids.ts';
import type { TestApi } from '../../testing/api.ts';
import { addPerson } from '../../testing/people.ts';
import { checkUpload, importUpload, uploadFile } from '../../testing/uploads.ts';
import type { Imported, SeasonOffice } from './office.ts';

const host = 'adams.localhost';
const reason = 'Checked with the office by phone.';

/** An office that uploads its files at the console, where another person approves what waits. */
export async function openConsole(
  api: TestApi,
  office: SeasonOffice,
): Promise<Pick<SeasonOffice, 'import' | 'release' | 'see' | 'sendMessages'>> {
  const [account] = await api.query<{ id: AccountId }>('select account_id as id from accounts');
  if (!account) throw new Error('The office has no account.');
  const of = { accountId: account.id, host };
  const importer = await addPerson(api, of, 'Ina Wolf', ['importer']);
  const releaser = await addPerson(api, of, 'Rosa Kim', ['releaser']);
  return {
    see: office.see,
    sendMessages: office.sendMessages,
    async import({ name, bytes, election }) {
      // Days have passed since the last file.
      await importer.signIn();
      const id = await uploadFile(importer.browser, name, bytes);
      const checked = await checkUpload(api, importer.browser, id, election ? { election } : {});
      if (checked.preview === null || checked.preview.outcome === 'refused')
        return describe('refused', checked);
      const imported = await importUpload(api, importer.browser, checked);
      const [found] = await api.query<{ state: string }>(
        'select state from imports where import_id = $1',
        [imported.import_id],
      );
      return describe(found?.state ?? 'refused', imported);
    },
    async release(importId) {
      await releaser.signIn();
      for (let time = 0; time < 2; time += 1) {
        const released = await releaser.browser.post(`/api/office/files/${importId}/release`, {
          reason,
        });
        if (released.json().state !== 'messages-held') return;
      }
    },
  };
}

function describe(state: string, { import_id, preview, problem }: UploadAnswer): Imported {
  const refused = preview?.refused_because ?? problem;
  return {
    ...{ code: null, importId: import_id, state, gate: [], text: '' },
    reasons: [...(preview?.reasons ?? []), ...(refused ? [refused] : [])],
  };
}
