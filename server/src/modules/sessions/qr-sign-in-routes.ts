import { parseBirthdate } from '@ballot-beacon/contract/session';
import { problem } from '../../platform/problem.ts';
import { recordAudit } from '../audit/index.ts';
import type { AccountSite, Site } from '../sites/index.ts';
import type { CaptchaSolution } from './captcha-check.ts';
import { findDevice } from './device.ts';
import { type CodeHolder, findCodeAccount, findCodeHolder } from './qr-sign-in-store.ts';
import { explainRefusal, replaceSession, type SessionRoutesParts } from './routes.ts';
import { type SignInRefusal, startSession } from './sign-in.ts';
import { spendCaptcha } from './store.ts';
import {
  createThrottle,
  identityOf,
  isLocked,
  throttlesOfNetwork,
  waitOf,
  workOf,
} from './throttle-rules.ts';
import { countAttempt, forgiveAttempt } from './throttle-store.ts';
import type { Visit, VoterApi } from './visits.ts';

const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Signing in with the QR code on a ballot: the paper is one proof, the birth date the other. */
export function registerQrSignInRoutes(api: VoterApi, parts: SessionRoutesParts): void {
  const { database, sites, secrets, metrics, cookies, checkCaptcha } = parts;

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

  api.answer('createQrSession', async (visit, { body, reply }) => {
    const { request, translate, now } = visit;
    const birthdate = parseBirthdate(body.date_of_birth);
    if (birthdate === null) {
      const invalid = translate('login.birthdate.invalid');
      throw problem(422, 'Failed Validation', {
        validationMessages: { date_of_birth: { invalid } },
      });
    }
    const guid = body.ballot_guid.toLowerCase();
    const found = await findHolder(visit.site, guid);
    if (!found) {
      recordFailure(visit);
      throw unknownCode();
    }
    const solution = await readSolution(visit, body.recaptcha);

    const { db, account } = found.site;
    const { holder } = found;
    const identity = identityOf(holder);
    const device = cookies.readDevice(request);
    const isKnownHere = findDevice(secrets, device, identity) !== undefined;
    const throttles = [
      createThrottle(secrets.sign, 'code', guid),
      ...(isKnownHere ? [] : throttlesOfNetwork(secrets.sign, request.ip)),
    ];
    const counted = await countAttempt(db, throttles, now);
    const refuse = async (refusal: SignInRefusal): Promise<never> => {
      await forgiveAttempt(db, throttles);
      metrics.logins.inc({ outcome: refusal.kind });
      throw explainRefusal(refusal, now);
    };
    const until = waitOf(counted);
    if (until) return refuse({ kind: 'throttled', until });
    if (solution && !(await spendCaptcha(db, solution, keyOf(guid)))) {
      return refuse({ kind: 'invalid-captcha' });
    }
    const work = workOf(counted);
    if (solution && solution.level < work) return refuse({ kind: 'more-work', level: work });
    if (counted.some(isLocked)) return refuse({ kind: 'proof-required' });

    if (holder.birthdate !== birthdate) {
      metrics.logins.inc({ outcome: 'no-match' });
      recordFailure(visit);
      await recordAudit(db, account.accountId, {
        actor: `visitor:${keyOf(guid).toString('hex').slice(0, 16)}`,
        action: 'session.refuse',
        details: { outcome: 'no-match', way: 'qr' },
      });
      throw problem(400, 'Date of birth did not match');
    }
    await forgiveAttempt(db, throttles);
    metrics.logins.inc({ outcome: 'signed-in' });
    const signedIn = await startSession(
      db,
      account.accountId,
      { voterId: holder.voter_id, hasContactProof: true },
      now,
    );
    await replaceSession(cookies, visit, reply, signedIn);
    return { session_id: signedIn.sessionId };
  });

  function recordFailure(
    { site, request }: Visit,
    kind: 'qr-sign-in-failed' | 'captcha-refused' = 'qr-sign-in-failed',
  ): void {
    parts.securityEvents.record({
      kind,
      address: request.ip,
      ...(site.kind === 'account' && { accountId: site.account.accountId }),
    });
  }

  /** The CAPTCHA solution that is spent before the birth date is checked; undefined where the CAPTCHA is off. */
  async function readSolution(visit: Visit, text = ''): Promise<CaptchaSolution | undefined> {
    const { site, request, now } = visit;
    const captcha = await checkCaptcha({
      site,
      text,
      address: request.ip,
      now,
      isAlwaysWork: true,
      findKept: async () => undefined,
    });
    if (captcha.kind === 'refused') {
      metrics.logins.inc({ outcome: 'invalid-captcha' });
      recordFailure(visit, 'captcha-refused');
      throw explainRefusal({ kind: 'invalid-captcha' }, now);
    }
    return captcha.kind === 'solved' ? captcha.solution : undefined;
  }

  function keyOf(guid: string): Buffer {
    return secrets.sign('attempt', `qr|${guid}`);
  }
}

function unknownCode() {
  return problem(404, 'This code belongs to no current ballot.');
}
