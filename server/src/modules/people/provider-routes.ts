import type { Config } from '../../platform/config.ts';
import { type IdentityProvider, providerOf } from '../../platform/identity-providers.ts';
import type { Log } from '../../platform/log.ts';
import { type ProblemError, problem } from '../../platform/problem.ts';
import { admitByGroups } from './admit-by-groups.ts';
import { finishSignIn, SignInFailed, signOutAddress, startSignIn } from './identity-provider.ts';
import { placeOf } from './place.ts';
import { type RefusalParts, refuse } from './refusals.ts';
import { passkeyIssuer, rolesOfGroups } from './rules.ts';
import { signIn } from './sign-in.ts';
import { rememberSignIn, takeSignIn } from './sign-in-transaction.ts';
import type { OfficeApi, OfficeCookies, OfficeVisit } from './visits.ts';

interface ProviderRoutesParts extends RefusalParts {
  readonly config: Config;
  readonly cookies: OfficeCookies;
  readonly log: Log;
}

/** Where the provider sends the browser: a page of the console, which sends the answer by a call of its own. */
const returnPath = '/office/signed-in';

/** Signing in by the identity provider of the office (OpenID Connect, authorization code with PKCE). */
export function registerProviderSignIn(api: OfficeApi, parts: ProviderRoutesParts): void {
  const { config, cookies, log } = parts;

  api.answer('startProviderSignIn', async (visit, { body, reply }) => {
    const provider = requireProvider(visit, config);
    const of = { redirectUri: addressOf(visit, returnPath), isAgain: body.again };
    const { url, transaction } = await startSignIn(provider, of, visit.now).catch(
      (error: unknown) => {
        throw explainFailure(error, provider, visit, log);
      },
    );
    rememberSignIn(visit, reply, parts, transaction);
    return { url };
  });

  api.answer('createProviderSession', async (visit, { body, reply }) => {
    const provider = requireProvider(visit, config);
    const transaction = takeSignIn(visit, reply, parts);
    if (!transaction)
      throw problem(
        400,
        'This sign-in took too long, or was begun in another window. Choose Sign in once more.',
      );
    const answer = new URL(addressOf(visit, returnPath));
    answer.search = body.answer;
    const identity = await finishSignIn(provider, transaction, answer, visit.now).catch(
      async (error: unknown) => {
        const refusal = explainFailure(error, provider, visit, log);
        throw refusal.problem.status === 401 ? await refuse(visit, parts, refusal) : refusal;
      },
    );
    const { account, db } = visit;
    const roles = rolesOfGroups(provider, account.subdomain, identity.groups);
    const admission = await admitByGroups(db, account.accountId, identity, roles);
    if (!admission.ok)
      throw await refuse(
        visit,
        parts,
        problem(
          403,
          admission.why === 'removed'
            ? 'You were removed from this office. Ask an administrator of your office.'
            : `${provider.name} names no group of yours that may use this console. Ask your administrator to add you to one, and sign in again.`,
        ),
      );
    const { personId } = admission;
    return signIn(visit, cookies, reply, { personId, provenAt: identity.provenAt });
  });
}

/** Where somebody who signed in by the provider signs out there, too; null for others. */
export async function findSignOut(visit: OfficeVisit, config: Config): Promise<string | null> {
  const provider = providerOf(config.identityProviders, visit.account.subdomain);
  if (!provider || visit.session?.issuer === passkeyIssuer) return null;
  return (await signOutAddress(provider, addressOf(visit, '/office/'))) ?? null;
}

function requireProvider({ account }: OfficeVisit, config: Config): IdentityProvider {
  const provider = providerOf(config.identityProviders, account.subdomain);
  if (!provider)
    throw problem(404, 'This office has no identity provider. Sign in with a passkey.');
  return provider;
}

function addressOf({ request }: OfficeVisit, path: string): string {
  return new URL(path, placeOf(request)).href;
}

/** Puts in a clerk's words why a sign-in came to nothing; the log has the reason in those of the protocol. */
function explainFailure(
  error: unknown,
  { name }: IdentityProvider,
  { account }: OfficeVisit,
  log: Log,
): ProblemError {
  if (!(error instanceof SignInFailed)) throw error;
  const { reason, code } = error;
  log.write('sign-in.failed', { code, account: account.accountId });
  if (reason === 'unreachable')
    return problem(503, `${name} does not answer. Try again in a minute, or ask your operator.`);
  if (reason === 'denied')
    return problem(403, `${name} did not let you in. Try again, or ask the people who manage it.`);
  if (reason === 'not-asked')
    return problem(
      403,
      `${name} did not ask you to sign in again, so it is not certain that it is you. Ask your operator, who finds more in docs/operations.md, Identity providers.`,
    );
  return problem(
    401,
    `The answer of ${name} could not be confirmed. Sign in once more. If this stays, ask your operator.`,
  );
}
