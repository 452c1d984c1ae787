import { createHash } from 'node:crypto';
import type { UploadAnswer } from '@ballot-beacon/contract/office/uploads';
import { expect } from 'vitest';
import type { TestApi, TestBrowser } from './api.ts';

export const uploadsPath = '/api/office/uploads';

/** Sends one piece of a file as the console does. */
export function sendPiece(
  browser: TestBrowser,
  uploadId: number,
  piece: number,
  bytes: Buffer,
  sha256 = createHash('sha256').update(bytes).digest('hex'),
) {
  return browser.request({
    method: 'POST',
    url: `${uploadsPath}/${uploadId}/pieces/${piece}?sha256=${sha256}`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: bytes,
  });
}

/** Uploads a whole file. @returns its number */
export async function uploadFile(
  browser: TestBrowser,
  name: string,
  content: string | Buffer,
): Promise<number> {
  const bytes = Buffer.from(content);
  const started = await browser.post(uploadsPath, { file_name: name, size: bytes.length });
  expect(started.statusCode, started.body).toBe(201);
  const { upload_id: id, piece_bytes: size } = started.json<UploadAnswer>();
  for (let piece = 0; piece * size < bytes.length; piece += 1) {
    const part = bytes.subarray(piece * size, (piece + 1) * size);
    const sent = await sendPiece(browser, id, piece, part);
    expect(sent.statusCode, sent.body).toBe(204);
  }
  return id;
}

/** Asks for a file's check and waits for its result. @param reading how to read the file */
export async function checkUpload(
  api: TestApi,
  browser: TestBrowser,
  id: number,
  reading: object = {},
): Promise<UploadAnswer> {
  const asked = await browser.post(`${uploadsPath}/${id}/check`, reading);
  expect(asked.statusCode, asked.body).toBe(200);
  expect(asked.json()).toMatchObject({ state: 'checking', preview: null });
  await api.uploads?.runDue();
  return (await browser.get(`${uploadsPath}/${id}`)).json();
}

/** Imports a checked file and waits for the end. @param more of the decision */
export async function importUpload(
  api: TestApi,
  browser: TestBrowser,
  { upload_id: id, check }: UploadAnswer,
  more: object = {},
): Promise<UploadAnswer> {
  const asked = await browser.post(`${uploadsPath}/${id}/import`, { check, ...more });
  expect(asked.statusCode, asked.body).toBe(200);
  await api.uploads?.runDue();
  return (await browser.get(`${uploadsPath}/${id}`)).json();
}
