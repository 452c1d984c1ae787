import type { UploadAnswer } from '@ballot-beacon/contract/office/uploads';
import { afterEach, expect, test, vi } from 'vitest';
import { CallError } from '../../api/client.ts';
import { type Act, OtherFile, type Sending, sendFile } from './send-file.ts';
import { formatPercent, formatSize } from './size.ts';

const file = new File(['aaaabbbbcc'], 'roll.csv');
const hashOfB = '81cc5b17018674b401b42f35ba07bb79e211239c23bffe658da1577e3e646877';
const upload = (received: UploadAnswer['received'] = []) =>
  ({ upload_id: 7, piece_bytes: 4, received }) as unknown as UploadAnswer;

/** What a server got by piece, and how the sending looked. @param fail for each try, in order */
function listen(fail: (CallError | undefined)[] = []) {
  const got = new Map<number, string>();
  const seen: Sending[] = [];
  const act = (async (_name: string, { params, body }: never) => {
    const error = fail.shift();
    if (error) throw error;
    got.set((params as { piece: number }).piece, new TextDecoder().decode(body as ArrayBuffer));
  }) as unknown as Act;
  return { act, got, seen, note: (sending: Sending) => void seen.push(sending) };
}
afterEach(() => vi.unstubAllGlobals());

test('a file goes in pieces, of which those that are there already are not sent again', async () => {
  const { act, got, seen, note } = listen();
  await sendFile(act, file, upload(), note);
  expect([...got].sort()).toEqual([
    [0, 'aaaa'],
    [1, 'bbbb'],
    [2, 'cc'],
  ]);
  expect(seen.at(-1)).toEqual({ state: 'sent', sentBytes: 10 });

  const rest = listen();
  await sendFile(rest.act, file, upload([{ piece: 1, sha256: hashOfB }]), rest.note);
  expect([...rest.got.keys()].sort()).toEqual([0, 2]);
  expect(rest.seen[0]).toEqual({ state: 'sending', sentBytes: 4 });
});

test('another file of the same name is not mixed with what is there', async () => {
  const { act, got, note } = listen();
  const received = [{ piece: 0, sha256: hashOfB }];
  await expect(sendFile(act, file, upload(received), note)).rejects.toBeInstanceOf(OtherFile);
  expect(got.size).toBe(0);
});

test('a piece that got lost is sent again once there is a connection; a refusal and a full disk end it', async () => {
  const online: (() => void)[] = [];
  vi.stubGlobal('addEventListener', (_type: string, hear: () => void) => online.push(hear));
  vi.stubGlobal('removeEventListener', () => {});
  for (const status of [0, 408, 429, 500]) {
    const { act, got, seen, note } = listen([new CallError('No answer', status)]);
    const sending = sendFile(act, file, upload(), note);
    await vi.waitUntil(() => online.length > 0, { interval: 1 });
    expect(seen.some(({ state }) => state === 'waiting')).toBe(true);
    for (const hear of online.splice(0)) hear();
    await sending;
    expect(got.size).toBe(3);
  }

  for (const status of [413, 422, 507]) {
    const full = listen([new CallError('No room', status), new CallError('No room', status)]);
    await expect(sendFile(full.act, file, upload(), full.note)).rejects.toMatchObject({ status });
  }
});

test('how much is there is never said to be all before it is', () => {
  expect(formatPercent(999, 1000)).toBe('99%');
  expect(formatPercent(1000, 1000)).toBe('100%');
  expect(formatPercent(1001, 1000)).toBe('100%');
  expect(formatPercent(0, 0)).toBe('100%');
  const sizes = [2_048, 9.5 * 1024 ** 2, 10.4 * 1024 ** 2, 1024 ** 3 - 1, 1024 ** 3];
  expect(sizes.map(formatSize)).toEqual(['2 KB', '9.5 MB', '10 MB', '1,024 MB', '1 GB']);
});
