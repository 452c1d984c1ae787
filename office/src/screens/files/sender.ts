import type { ListedUpload, UploadAnswer } from '@ballot-beacon/contract/office/uploads';
import { useSyncExternalStore } from 'react';
import { t } from '../../words/index.ts';
import { type Act, OtherFile, type Sending, sendFile } from './send-file.ts';

/** What this tab is sending, by upload. It goes on while the person looks at other screens. */
const sendings = new Map<number, Sending>();
const listeners = new Set<() => void>();

function change(id: number, sending: Sending | undefined): void {
  if (sending) sendings.set(id, sending);
  else sendings.delete(id);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How far this tab is with an upload; undefined when it sends nothing of it. */
export function useSending(id: number): Sending | undefined {
  const now = () => sendings.get(id);
  return useSyncExternalStore(subscribe, now, now);
}

const isBusy = ({ state }: Sending) => state === 'sending' || state === 'waiting';

/** Whether an upload is not to be gone on with: this tab is at it, or found that it is of another file. */
const isTaken = (sending: Sending | undefined) =>
  sending !== undefined && (isBusy(sending) || sending.problem === t('upload.otherFile'));

addEventListener('beforeunload', (event) => {
  if ([...sendings.values()].some(isBusy)) event.preventDefault();
});

/**
 * Begins to send a file, or goes on with it where some of it is there already, and has it checked once all of it is.
 * @param undecided the uploads that the person may go on with
 * @returns the upload's number, as soon as it is known
 */
export async function sendOrResume(
  act: Act,
  file: File,
  undecided: readonly ListedUpload[],
): Promise<number> {
  const begun = undecided.find(
    (one) =>
      one.is_own &&
      one.state === 'receiving' &&
      one.file_name === file.name &&
      one.size === file.size &&
      !isTaken(sendings.get(one.upload_id)),
  );
  const upload = begun
    ? await act('getUpload', { params: { upload_id: begun.upload_id } })
    : await act('startUpload', { body: { file_name: file.name, size: file.size } });
  void resume(act, file, upload);
  return upload.upload_id;
}

/** Goes on with an upload; what goes wrong is in {@link useSending}. */
export async function resume(act: Act, file: File, upload: UploadAnswer): Promise<void> {
  const id = upload.upload_id;
  const fail = (problem: string) => change(id, { state: 'failed', sentBytes: 0, problem });
  if (file.size !== upload.size) return fail(t('upload.otherFile'));
  change(id, { state: 'sending', sentBytes: upload.received_bytes });
  try {
    await sendFile(act, file, upload, (sending) => change(id, sending));
    await act('checkUpload', { params: { upload_id: id }, body: {} });
    change(id, undefined);
  } catch (error) {
    fail(error instanceof OtherFile ? t('upload.otherFile') : (error as Error).message);
  }
}
