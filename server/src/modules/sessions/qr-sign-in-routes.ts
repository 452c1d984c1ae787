import { parseBirthdate } from '@ballot-beacon/contract/session';
import { problem } from '../../platform/problem.ts';
import type { AccountSite, Site } from '../sites/index.ts';
import { type CodeHolder, findCodeAccount, findCodeHolder } from './qr-sign-in-store.ts';
import { type SessionRoutesParts, tooManyAttempts } from './routes.ts';
import { throttlesOfQrCode } from './rules.ts';
import { startSession } from './sign-in.ts';
import { countAttempt, forgiveAttempt } from './store.ts';
import type { VoterApi } from './visits.ts';

const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Signing in with the QR code on a ballot: the paper is one proof, the birth date the other. */
export function registerQrSignInRoutes(api: VoterApi, parts: SessionRoutesParts): void {
  const { database, sites, secrets, metrics, cookies } = parts;

  async function findHolder(
    site: Site,
    guid: string,
  ): Promise<{ site: AccountSite; holder: CodeHolder } | undefined> {
    if (!guidPattern.test(guid) || site.kind === 'unserved') return undefined;
    const own = site.kind === 'account' ? site : await findOffice(guid);
    const holder = own && (await findCodeHolder(own.db, guid));
    return holder && { site: own, holder };
  }

  async function findOffice(guid: string): Promise<AccountSite | undefined> {
    const accountId = await findCodeAccount(database.unscoped, guid);
    return accountId === undefined ? undefined : sites.ofAccount(accountId);
  }

  api.answer('validateQrCode', async ({ site }, { params }) => {
    if (!(await findHolder(site, params.guid))) throw unknownCode();
    return undefined;
  });

  api.answer('createQrSession', async ({ request, site, translate, now }, { body, reply }) => {
    const birthdate = parseBirthdate(body.date_of_birth);
    if (birthdate === null) {
      const invalid = translate('login.birthdate.invalid');
      throw problem(422, 'Failed Validation', {
        validationMessages: { date_of_birth: { invalid } },
      });
    }
    const guid = body.ballot_guid.toLowerCase();
    const found = await findHolder(site, guid);
    if (!found) throw unknownCode();

    const { db, account } = found.site;
    const throttles = throttlesOfQrCode(secrets.sign, guid, request.ip);
    const until = await countAttempt(db, throttles, now);
    if (until) throw tooManyAttempts(until, now);
    if (found.holder.birthdate !== birthdate) {
      metrics.logins.inc({ outcome: 'no-match' });
      throw problem(400, 'Date of birth did not match');
    }
    await forgiveAttempt(db, throttles);
    metrics.logins.inc({ outcome: 'signed-in' });
    const { voter_id: voterId } = found.holder;
    const { sessionId, secret } = await startSession(db, account.accountId, voterId, now);
    cookies.set(reply, request, secret);
    return { session_id: sessionId };
  });
}

function unknownCode() {
  return problem(404, 'This code belongs to no current ballot.');
}
