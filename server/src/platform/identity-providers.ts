import { Role } from '@ballot-beacon/contract/office/roles';
import * as z from 'zod/mini';
import { parseWrittenJson } from './written-json.ts';

const someText = z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(500));
const Subdomains = z.array(someText).check(z.minLength(1, 'must name an account'));

/** The identity provider of an office, or of several, as OFFICE_PROVIDERS describes it. */
const Provider = z.strictObject({
  /** As people read it on the button: `Sign in with …`. */
  name: someText.check(z.maxLength(60, 'must have at most 60 letters')),
  issuer: z.string().check(
    z.refine(isIssuer, 'must be an https address, without ? and #'),
    z.refine((issuer) => !issuer.includes('|'), 'must not contain |'),
  ),
  client_id: someText,
  /** Left out for a public client. */
  client_secret: z.optional(someText),
  /** Left out: every account that no other provider names. */
  accounts: z.optional(Subdomains),
  scope: z._default(someText, 'openid profile'),
  /** The claim that lists a person's groups. */
  groups_claim: z._default(someText, 'groups'),
  groups: z
    .array(
      z.strictObject({
        /** As the provider writes it in the claim. */
        group: someText,
        roles: z.array(Role).check(z.minLength(1, 'must name a role')),
        /** Left out: in every account of the provider. */
        accounts: z.optional(Subdomains),
      }),
    )
    .check(z.minLength(1, 'must map at least one group')),
});

export type IdentityProvider = z.infer<typeof Provider>;

const Providers = z.array(Provider);

/** The value of OFFICE_PROVIDERS: a JSON list. */
export const IdentityProviders = z.pipe(
  z.string(),
  z.transform((text, context): readonly IdentityProvider[] => {
    const refuse = (message: string) => {
      context.issues.push({ code: 'custom', message, input: text });
      return z.NEVER;
    };
    let list: unknown;
    try {
      list = parseWrittenJson(text);
    } catch (error) {
      const { message } = error as SyntaxError;
      return refuse(`must be a JSON list, but ${message} (docs/operations.md, Identity providers)`);
    }
    const parsed = Providers.safeParse(list);
    if (parsed.success) return parsed.data;
    const wrong = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'it'}: ${message}`,
    );
    return refuse(`is not right (docs/operations.md, Identity providers). ${wrong.join('; ')}`);
  }),
);

/** The provider that names this account, or else a provider for all; undefined where there is none. */
export function providerOf(
  providers: readonly IdentityProvider[],
  subdomain: string,
): IdentityProvider | undefined {
  return (
    providers.find(({ accounts }) => accounts?.includes(subdomain)) ??
    providers.find(({ accounts }) => accounts === undefined)
  );
}

/** Plain http is for a provider on the machine of a developer; production refuses it. */
export function isPlainHttp({ issuer }: IdentityProvider): boolean {
  return new URL(issuer).protocol === 'http:';
}

function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url?.search !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost');
}
