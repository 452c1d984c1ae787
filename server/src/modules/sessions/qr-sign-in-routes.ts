import { parseBirthdate } from '@ballot-beacon/contract/session';
import type { AccountId } from '../../platform/ids.ts';
import { problem, refuseField } from '../../platform/problem.ts';
import { recordAudit } from '../audit/index.ts';
import type { AccountSite, Site } from '../sites/index.ts';
import type { CaptchaSolution } from './captcha-check.ts';
import { allowCode, countCode } from './code-limits.ts';
import { findDevice } from './device.ts';
import { findLetterAccount, findLetterHolder } from './letter-code-store.ts';
import { hashLetterCode, readLetterCode } from './letter-codes.ts';
import { type CodeHolder, findCodeAccount, findCodeHolder } from './qr-sign-in-store.ts';
import { explainRefusal, explainWait, replaceSession, type SessionRoutesParts } from './routes.ts';
import { type SignInRefusal, startSession } from './sign-in.ts';
import { spendCaptcha } from './store.ts';
import {
  codeKeyOfLetter,
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

/** Signing in with a ballot's QR code or a letter's code: the paper is one proof, the birth date the other. */
export function registerQrSignInRoutes(api: VoterApi, parts: SessionRoutesParts): void {
  const { database, sites, secrets, metrics, cookies, checkCaptcha } = parts;

  /** @returns what failures with the code count against, too */
  async function findHolder(
    { site, now }: Visit,
    typed: string,
  ): Promise<{ site: AccountSite; holder: CodeHolder; codeKey: string } | undefined> {
    if (site.kind === 'unserved') return undefined;
    if (guidPattern.test(typed)) {
      const guid = typed.toLowerCase();
      const own = await findOffice(site, () => findCodeAccount(database.unscoped, guid));
      const holder = own && (await findCodeHolder(own.db, guid));
      return holder && { site: own, holder, codeKey: guid };
    }
    const code = readLetterCode(typed);
    if (code === undefined) return undefined;
    const hash = hashLetterCode(code);
    const own = await findOffice(site, () => findLetterAccount(database.unscoped, hash));
    const holder = own && (await findLetterHolder(own.db, hash, now));
    if (holder?.letter_code_id === undefined) return undefined;
    return own && { site: own, holder, codeKey: codeKeyOfLetter(holder.letter_code_id) };
  }

  async function findOffice(
    site: Site,
    findAccount: () => Promise<AccountId | undefined>,
  ): Promise<AccountSite | undefined> {
    if (site.kind === 'account') return site;
    const accountId = await findAccount();
    return accountId === undefined ? undefined : sites.ofAccount(accountId);
  }

  /** Counts the code as unknown until it is found. @throws 404, or 429 after too many of those */
  async function requireHolder(visit: Visit, typed: string) {
    const { request, site, now } = visit;
    const db = site.kind === 'account' ? site.db : database.unscoped;
    const counted = await countCode(db, secrets.sign, { address: request.ip, now });
    const found = counted.until ? undefined : await findHolder(visit, typed);
    if (found) {
      await allowCode(db, counted);
      return found;
    }
    recordFailure(visit);
    if (counted.until) throw explainWait(counted.until, now);
    throw problem(404, 'This code belongs to no current ballot.');
  }

  api.answer('validateQrCode', async (visit, { params }) => {
    await requireHolder(visit, params.guid);
    return undefined;
  });

  api.answer('createQrSession', async (visit, { body, reply }) => {
    const { request, translate, now } = visit;
    const birthdate = parseBirthdate(body.date_of_birth);
    if (birthdate === null) {
      throw refuseField('date_of_birth', translate('login.birthdate.invalid'));
    }
    const found = await requireHolder(visit, body.ballot_guid);
    const solution = await readSolution(visit, body.recaptcha);

    const { db, account } = found.site;
    const { holder, codeKey } = found;
    const details = { identity: identityOf(holder), birthdate };
    const isKnownHere = findDevice(secrets, cookies.readDevice(request), details) !== undefined;
    const throttles = [
      createThrottle(secrets.sign, 'code', codeKey),
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
    if (solution && !(await spendCaptcha(db, solution, keyOf(codeKey)))) {
      return refuse({ kind: 'invalid-captcha' });
    }
    const work = workOf(counted);
    if (solution && solution.level < work) return refuse({ kind: 'more-work', level: work });
    if (counted.some(isLocked)) return refuse({ kind: 'proof-required' });

    if (holder.birthdate !== birthdate) {
      metrics.logins.inc({ outcome: 'no-match' });
      recordFailure(visit);
      await recordAudit(db, account.accountId, {
        actor: `visitor:${keyOf(codeKey).toString('hex').slice(0, 16)}`,
        action: 'session.refuse',
        details: { outcome: 'no-match', way: holder.letter_code_id ? 'letter' : 'qr' },
      });
      throw problem(400, 'Date of birth did not match');
    }
    await forgiveAttempt(db, throttles);
    metrics.logins.inc({ outcome: 'signed-in' });
    const signedIn = await startSession(
      db,
      account.accountId,
      {
        voterId: holder.voter_id,
        hasContactProof: true,
        letterCodeId: holder.letter_code_id ?? null,
      },
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

  function keyOf(codeKey: string): Buffer {
    return secrets.sign('attempt', `qr|${codeKey}`);
  }
}
