import type { ListedUpload, UploadAnswer } from '@ballot-beacon/contract/office/uploads';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Act } from './send-file.ts';
import type * as Sender from './sender.ts';

let sender: typeof Sender;
beforeAll(async () => {
  vi.stubGlobal('addEventListener', () => {});
  sender = await import('./sender.ts');
});
afterAll(() => vi.unstubAllGlobals());

const file = new File(['aaaabbbbcc'], 'roll.csv');
let numbers = 0;
function listed(more: Partial<ListedUpload> = {}): ListedUpload {
  numbers += 1;
  return {
    ...{ upload_id: numbers, file_name: 'roll.csv', size: 10, state: 'receiving', is_own: true },
    ...{ uploaded_by: 'Ina Wolf', created_at: '2026-10-05T15:00:00Z', received_bytes: 0 },
    ...more,
  };
}

/** A server that takes pieces once it may. */
function serve(uploads: readonly ListedUpload[] = []) {
  const calls: string[] = [];
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const act = (async (name: string, { params }: { params?: { upload_id: number } }) => {
    calls.push(name);
    if (name === 'sendPiece') return isOpen;
    const known = uploads.find((one) => one.upload_id === params?.upload_id) ?? listed();
    return { ...known, piece_bytes: 4, received: [] } as unknown as UploadAnswer;
  }) as unknown as Act;
  return { act, calls, open };
}

test('a person goes on with the own upload of this very file that has not come whole', async () => {
  const begun = listed();
  const others = [
    ...[listed({ is_own: false }), listed({ state: 'ready' })],
    ...[listed({ size: 11 }), listed({ file_name: 'other.csv' })],
  ];
  const again = serve([...others, begun]);
  again.open();
  expect(await sender.sendOrResume(again.act, file, [...others, begun])).toBe(begun.upload_id);
  await vi.waitUntil(() => again.calls.includes('checkUpload'), { interval: 1 });
  expect(again.calls).toEqual([
    ...['getUpload', 'sendPiece', 'sendPiece', 'sendPiece', 'checkUpload'],
  ]);
  const anew = serve(others);
  anew.open();
  await sender.sendOrResume(anew.act, file, others);
  expect(anew.calls[0]).toBe('startUpload');
  await vi.waitUntil(() => anew.calls.includes('checkUpload'), { interval: 1 });
});

test('what this tab is sending is not begun a second time as its rest', async () => {
  const begun = listed();
  const first = serve([begun]);
  await sender.sendOrResume(first.act, file, [begun]);
  const second = serve([begun]);
  await sender.sendOrResume(second.act, file, [begun]);
  expect(second.calls[0]).toBe('startUpload');
  for (const { open } of [first, second]) open();
  for (const { calls } of [first, second])
    await vi.waitUntil(() => calls.includes('checkUpload'), { interval: 1 });
});

test('a person goes on with the own upload whose sending failed, unless it is of another file', async () => {
  const begun = listed();
  const refused = (async (name: string) => {
    if (name === 'sendPiece') throw new Error('There is no room.');
    return { ...begun, piece_bytes: 4, received: [] };
  }) as unknown as Act;
  await sender.resume(refused, file, await refused('getUpload', {} as never));
  const again = serve([begun]);
  again.open();
  expect(await sender.sendOrResume(again.act, file, [begun])).toBe(begun.upload_id);
  await vi.waitUntil(() => again.calls.includes('checkUpload'), { interval: 1 });
  expect(again.calls[0]).toBe('getUpload');

  const other = listed();
  const received = [{ piece: 0, sha256: 'of another file' }];
  const upload = { ...other, piece_bytes: 4, received } as unknown as UploadAnswer;
  await sender.resume(again.act, file, upload);
  const anew = serve([other]);
  anew.open();
  await sender.sendOrResume(anew.act, file, [other]);
  expect(anew.calls[0]).toBe('startUpload');
  await vi.waitUntil(() => anew.calls.includes('checkUpload'), { interval: 1 });
});

test('nothing is sent of a file whose size is not that of the begun file', async () => {
  const { act, calls, open } = serve();
  open();
  await sender.resume(act, file, {
    ...listed({ size: 11 }),
    ...{ piece_bytes: 4, received: [] },
  } as unknown as UploadAnswer);
  expect(calls).toEqual([]);
});
