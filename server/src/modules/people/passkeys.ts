import type { PasskeyOptions, PasskeyResponse } from '@ballot-beacon/contract/office/people';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { PersonId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { type ChallengePurpose, createChallenge, readChallenge } from './challenges.ts';
import { countUse, findPasskey, type Passkey, spendChallenge } from './passkey-store.ts';
import { placeOf } from './place.ts';
import type { OfficeVisit } from './visits.ts';

/** Where a passkey belongs to: the host that the browser shows. */
interface RelyingParty {
  readonly origin: string;
  readonly rpId: string;
}

export interface PasskeyParts {
  readonly secrets: Secrets;
}

/** A passkey that was just made, not stored yet. */
export type NewPasskey = Omit<Passkey, 'personId'>;

/**
 * What a browser needs to sign somebody in. It names no passkeys: the browser finds the person's own for this host, and
 * nobody learns who works here.
 */
export async function offerSignIn(
  visit: OfficeVisit,
  parts: PasskeyParts,
): Promise<PasskeyOptions> {
  const { rpId } = rpOf(visit);
  const { accountId } = visit.account;
  const challenge = createChallenge(parts.secrets, { accountId }, visit.now);
  return {
    ...(await generateAuthenticationOptions({
      rpID: rpId,
      challenge: toBytes(challenge),
      userVerification: 'required',
    })),
  };
}

/** @returns whose passkey it is; undefined when it proves nothing */
export async function readSignIn(
  visit: OfficeVisit,
  parts: PasskeyParts,
  response: PasskeyResponse,
): Promise<PersonId | undefined> {
  const { db, now } = visit;
  const passkey = await findPasskey(db, response.id);
  if (!passkey) return undefined;
  const spend = spender(visit, parts, { accountId: visit.account.accountId });
  const { origin, rpId } = rpOf(visit);
  const verified = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: spend,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  }).catch(() => undefined); // the library throws for what does not fit
  if (!verified?.verified) return undefined;
  const isCounted = await countUse(db, passkey, verified.authenticationInfo.newCounter, now);
  return isCounted ? passkey.personId : undefined;
}

/** What a browser needs to make a passkey for somebody who was invited. */
export async function offerPasskey(
  visit: OfficeVisit,
  parts: PasskeyParts,
  of: { readonly name: string; readonly subject: string; readonly invitation: Buffer },
): Promise<PasskeyOptions> {
  const { accountId, name: office } = visit.account;
  const purpose = { accountId, invitation: of.invitation };
  const options = await generateRegistrationOptions({
    rpID: rpOf(visit).rpId,
    rpName: office,
    userName: of.name,
    userDisplayName: of.name,
    userID: toBytes(of.subject),
    challenge: toBytes(createChallenge(parts.secrets, purpose, visit.now)),
    attestationType: 'none',
    // The passkey is found without a name, and opens by finger, face or PIN: it is two proofs in one.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { ...options };
}

/** @returns undefined when the answer does not fit the invitation's challenge */
export async function readPasskey(
  visit: OfficeVisit,
  parts: PasskeyParts,
  invitation: Buffer,
  response: PasskeyResponse,
): Promise<NewPasskey | undefined> {
  const purpose = { accountId: visit.account.accountId, invitation };
  const { origin, rpId } = rpOf(visit);
  const verified = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: spender(visit, parts, purpose),
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports };
}

/** Accepts a challenge of ours once. */
function spender({ db, now }: OfficeVisit, { secrets }: PasskeyParts, purpose: ChallengePurpose) {
  return async (challenge: string): Promise<boolean> => {
    const known = readChallenge(secrets, purpose, challenge, now);
    return known !== undefined && spendChallenge(db, known.hash, known.expiresAt);
  };
}

function rpOf({ request }: OfficeVisit): RelyingParty {
  const { origin, hostname } = placeOf(request);
  return { origin, rpId: hostname };
}

function toBytes(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, 'base64url'));
}
