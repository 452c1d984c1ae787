import * as z from 'zod/mini';
import { RowId } from './filters.ts';
import { permissions, Role, roleNames } from './roles.ts';

export const personNameMaximum = 100;
const PersonName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Type a name.'),
    z.maxLength(personNameMaximum, 'Use at most 100 letters.'),
  );
const Roles = z
  .array(Role)
  .check(z.minLength(1, 'Choose at least one role.'), z.maxLength(roleNames.length));
/** The secret of an invitation's link: 256 bits as 43 letters. */
const InvitationToken = z.string().check(z.regex(/^[\w-]{43}$/));

/** What a passkey returns to the browser, in WebAuthn's JSON form; checked by the server's library. */
export const PasskeyResponse = z.looseObject({
  id: z.string().check(z.maxLength(1400)),
  rawId: z.string().check(z.maxLength(1400)),
  type: z.literal('public-key'),
  response: z.record(z.string().check(z.maxLength(40)), z.unknown()),
  clientExtensionResults: z.record(z.string(), z.unknown()),
});
export type PasskeyResponse = z.infer<typeof PasskeyResponse>;

/** What a browser needs to ask for a passkey, in WebAuthn's JSON form. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() });
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

export const PasskeySignIn = z.strictObject({ passkey: PasskeyResponse });

export const ProviderSignInStart = z.strictObject({
  /** Have the provider ask the person again, even one who is signed in there. */
  again: z.boolean(),
});
export const ProviderSignIn = z.object({
  /** Where the browser goes to sign in. The provider sends it back to `/office/signed-in`. */
  url: z.string(),
});
export const ProviderAnswer = z.strictObject({
  /** Everything from the `?` on of the address with which the provider sent the browser back. */
  answer: z.string().check(z.maxLength(8000)),
});
export const SignedOut = z.object({
  /** Where somebody who signed in by the identity provider signs out there, too. */
  provider_sign_out: z.nullable(z.string()),
});

export const OfficeOptions = z.object({
  /** The name of the election office. */
  office: z.string(),
  /** The name of the office's identity provider; null where people sign in with passkeys alone. */
  provider: z.nullable(z.string()),
});
export type OfficeOptions = z.infer<typeof OfficeOptions>;

/** The person who is signed in, and what the person may do in this office. */
export const OfficeSession = z.object({
  office: z.string(),
  /** IANA name. */
  time_zone: z.string(),
  person_id: z.int(),
  name: z.string(),
  roles: z.array(Role),
  permissions: z.array(z.enum(Object.keys(permissions) as [keyof typeof permissions])),
  /** How the person signed in, and signs in again. */
  method: z.enum(['passkey', 'provider']),
  /** Instants, ISO 8601. After this one, a call with `needsProof` asks for another sign-in. */
  proof_ends_at: z.string(),
  /** However active the person is. */
  ends_at: z.string(),
  /** Without activity the session ends after as many seconds. */
  idle_seconds: z.int(),
});
export type OfficeSession = z.infer<typeof OfficeSession>;

export const InvitationQuery = z.strictObject({ token: InvitationToken });
export const InvitationAcceptance = z.strictObject({
  token: InvitationToken,
  passkey: PasskeyResponse,
});

export const Invitation = z.object({
  office: z.string(),
  name: z.string(),
  roles: z.array(Role),
  ends_at: z.string(),
});
export type Invitation = z.infer<typeof Invitation>;

export const NewInvitation = z.strictObject({ name: PersonName, roles: Roles });
export const CreatedInvitation = z.object({
  /** The link to hand over; it is shown only now. */
  url: z.string(),
  ends_at: z.string(),
});
export type CreatedInvitation = z.infer<typeof CreatedInvitation>;

export const Person = z.object({
  person_id: z.int(),
  name: z.string(),
  roles: z.array(Role),
  method: z.enum(['passkey', 'provider']),
  passkeys: z.int(),
  last_seen_at: z.nullable(z.string()),
});
export type Person = z.infer<typeof Person>;

const RemovedPerson = z.object({
  person_id: z.int(),
  name: z.string(),
  method: z.enum(['passkey', 'provider']),
  /** Instant, ISO 8601. */
  removed_at: z.string(),
});
export type RemovedPerson = z.infer<typeof RemovedPerson>;

export const PeopleAnswer = z.object({
  people: z.array(Person),
  invitations: z.array(z.object({ name: z.string(), roles: z.array(Role), ends_at: z.string() })),
  /** Who was removed and can be let in again, the last first. */
  removed: z.array(RemovedPerson),
});
export type PeopleAnswer = z.infer<typeof PeopleAnswer>;

export const PersonParams = z.object({
  person_id: RowId,
});
export const RolesChange = z.strictObject({
  roles: Roles,
  /** The roles that the person had when they were chosen; left out, the new ones count whatever there was. */
  from: z.optional(z.array(Role).check(z.maxLength(roleNames.length))),
});

/** A sign-in of the command line: the hash of its secret, in hexadecimal. The secret itself stays on that machine. */
export const CommandSessionStart = z.strictObject({
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'This link is not complete.')),
});

/** What the terminal and the browser show, so that a person can see that both mean the same sign-in. */
export function codeOfCommandSession(hash: string): string {
  return `${hash.slice(0, 4)}-${hash.slice(4, 8)}`.toUpperCase();
}
