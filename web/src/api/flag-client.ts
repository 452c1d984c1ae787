import type { calls } from '@ballot-beacon/contract/calls';

const path: (typeof calls)['getFlagClient']['path'] = '/api/ldclient.php';

/**
 * The client id of the office's flag service, or null: flags come from the app's own host. Asked on every page, also where
 * no other call is made, so it is read without the contract's schemas. Rejects when there is no good answer.
 */
export async function readFlagClientId(): Promise<string | null> {
  const response = await fetch(path, { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  const { client_id } = (await response.json()) as { client_id?: unknown };
  return typeof client_id === 'string' ? client_id : null;
}
