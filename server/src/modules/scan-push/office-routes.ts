import type { ScanPush } from '@ballot-beacon/contract/office/scan-push';
import type { Config } from '../../platform/config.ts';
import { problem } from '../../platform/problem.ts';
import { type Account, lockAccount } from '../accounts/index.ts';
import { originOf } from '../notifications/index.ts';
import type { OfficeApi } from '../people/index.ts';
import { pushPath, pushUser, renewCredential } from './credential.ts';
import { readCredentialTime } from './store.ts';

/** The password with which USPS pushes an office's scans, made and renewed as `beacon scan-push` does. */
export function registerScanPushRoutes(
  api: OfficeApi,
  { config }: { readonly config: Config },
): void {
  const show = ({ subdomain }: Account, madeAt: Date | null): ScanPush => ({
    url: `${originOf(config, subdomain)}${pushPath}`,
    user: pushUser,
    made_at: madeAt?.toISOString() ?? null,
  });

  api.answer('getScanPush', async ({ db, account }) => show(account, await readCredentialTime(db)));

  api.answer('makePushPassword', ({ db, account, session, now }, { body }) =>
    db.transaction().execute(async (tx) => {
      await lockAccount(tx, account.accountId);
      const before = show(account, await readCredentialTime(tx)).made_at;
      if (before !== (body.made_at && new Date(body.made_at).toISOString()))
        throw problem(409, 'Somebody made a password meanwhile. Load the page again.');
      const { password } = await renewCredential(tx, account, session.actor, now);
      return { ...show(account, now), password };
    }),
  );
}
