import { type ImageKind, imageKinds } from '@ballot-beacon/contract/office/images';
import { problem } from '../../platform/problem.ts';
import {
  findAccount,
  listImageUndos,
  lockAccount,
  readImage,
  removeImage,
  saveImage,
  undoImage,
} from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import type { OfficeApi } from '../people/index.ts';
import { imagePath } from '../sites/index.ts';

/** An office's images, with the rules of an account file. What they were is on record by their hashes. */
export function registerImageRoutes(api: OfficeApi): void {
  api.answer('listImages', async ({ db, account: { accountId } }) => {
    const images = (await findAccount(db, accountId))?.images ?? {};
    const undos = await listImageUndos(db);
    return {
      images: imageKinds.map((kind) => ({
        ...{ kind, address: addressOf(kind, images[kind]), undo: undos[kind] ?? null },
      })),
    };
  });

  api.answer('replaceImage', async ({ db, account, session }, { params: { kind }, body }) => {
    const { accountId } = account;
    const image = await readImage(kind, body);
    if (typeof image === 'string') throw problem(422, `This file ${image}.`);
    await db.transaction().execute(async (tx) => {
      const { images } = await lockAccount(tx, accountId);
      const sha256 = await saveImage(tx, accountId, image);
      await recordAudit(tx, accountId, {
        ...{ actor: session.actor, action: 'account.image', target: kind },
        details: { sha256: { from: images[kind] ?? null, to: sha256 } },
      });
    });
    return undefined;
  });

  api.answer('removeImage', async ({ db, account, session }, { params: { kind } }) => {
    const { accountId } = account;
    await db.transaction().execute(async (tx) => {
      const { images } = await lockAccount(tx, accountId);
      if (!images[kind]) throw problem(404, 'This office has no such image.');
      await removeImage(tx, accountId, kind);
      await recordAudit(tx, accountId, {
        ...{ actor: session.actor, action: 'account.image', target: kind },
        details: { sha256: { from: images[kind], to: null } },
      });
    });
    return undefined;
  });

  api.answer('undoImage', async ({ db, account, session }, { params: { kind }, body }) => {
    const { accountId } = account;
    await db.transaction().execute(async (tx) => {
      const { images } = await lockAccount(tx, accountId);
      if (addressOf(kind, images[kind]) !== body.from)
        throw problem(409, 'Somebody changed this image meanwhile. Look at it again.');
      const to = await undoImage(tx, accountId, kind);
      if (to === undefined)
        throw problem(409, 'The image before is not kept any more. Choose its file again.');
      await recordAudit(tx, accountId, {
        ...{ actor: session.actor, action: 'account.image', target: kind },
        details: { sha256: { from: images[kind] ?? null, to }, undone: true },
      });
    });
    return undefined;
  });
}

function addressOf(kind: ImageKind, sha256: string | undefined): string | null {
  return sha256 ? imagePath(kind, sha256) : null;
}
