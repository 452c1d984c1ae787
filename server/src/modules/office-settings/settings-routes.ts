import { Readable } from 'node:stream';
import { attachAs } from '../../platform/attach.ts';
import { problem } from '../../platform/problem.ts';
import {
  type AccountFileProblem,
  findAccount,
  lockAccount,
  offeredChannels,
  reviewAccountFile,
  showSettings,
  versionOf,
  writeAccountFile,
} from '../accounts/index.ts';
import { countUnreached } from '../contacts/index.ts';
import type { OfficeApi, OfficeVisit } from '../people/index.ts';
import { applyReview } from './apply-review.ts';

/** The settings of an office: by a form or by its account file, with the same rules as `beacon account apply`. */
export function registerOfficeSettingsRoutes(api: OfficeApi): void {
  api.answer('getSettings', async (visit) => {
    const account = await readAccount(visit);
    return { version: versionOf(account), fields: showSettings(account) };
  });

  api.answer('checkSettings', async (visit, { body }) => {
    const account = await readAccount(visit);
    const review = reviewAccountFile(account, body.text);
    const before = offeredChannels(account.settings);
    return {
      version: versionOf(account),
      unreached: review.ok
        ? await countUnreached(visit.db, account.accountId, before, offeredChannels(review.file))
        : 0,
      problems: review.ok ? [] : [...review.problems],
      changes: review.ok ? [...review.changes] : [],
      ignored: review.ok ? [...review.ignored] : [],
    };
  });

  api.answer('changeSettings', (visit, { body }) =>
    visit.db.transaction().execute(async (tx) => {
      const account = await lockAccount(tx, visit.account.accountId);
      if (versionOf(account) !== body.version)
        throw problem(409, 'Somebody changed the settings meanwhile. Look at your changes again.');
      const review = reviewAccountFile(account, body.text);
      if (!review.ok) throw refuse(review.problems);
      await applyReview(tx, visit, review);
      return { changes: [...review.changes] };
    }),
  );

  api.answer('downloadSettings', async (visit, { reply }) => {
    const account = await readAccount(visit);
    attachAs(reply, `${account.subdomain}.json`);
    return Readable.from([`${JSON.stringify(writeAccountFile(account), null, 2)}\n`]);
  });
}

/** As it is at this moment: what a visit knows of its office may be half a second old. */
async function readAccount({ db, account: { accountId } }: OfficeVisit) {
  const account = await findAccount(db, accountId);
  if (!account) throw new Error('The account is gone.');
  return account;
}

function refuse(problems: readonly AccountFileProblem[]) {
  const validationMessages = Object.fromEntries(
    problems.map(({ at, message }) => [at || 'text', { invalid: `${at} ${message}`.trim() }]),
  );
  return problem(422, 'Failed Validation', { validationMessages });
}
