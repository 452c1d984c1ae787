import { Credentials } from '@ballot-beacon/contract/session';

export type LoginField = keyof Credentials;
/** The first thing wrong with each field, as a translation key. */
export type LoginErrors = Partial<Record<LoginField, string>>;

export type LoginEntries = Readonly<Record<LoginField, string | undefined>>;

/**
 * Reads what was typed. `extra` fields count only in the states that show them: an absent one is left out,
 * an empty one is an error.
 */
export function readEntries(form: HTMLFormElement, extra: readonly LoginField[]): LoginEntries {
  const data = new FormData(form);
  const text = (name: LoginField) => String(data.get(name) ?? '');
  return {
    firstname: text('firstname'),
    lastname: text('lastname'),
    zipcode: text('zipcode'),
    birthdate: tidyBirthdate(text('birthdate')).replaceAll('\\', '/'),
    recaptcha: text('recaptcha'),
    provided_voter_id: extra.includes('provided_voter_id') ? text('provided_voter_id') : undefined,
    token: extra.includes('token') ? text('token') : undefined,
  };
}

/** Puts the separators in for those who typed bare digits, and turns a browser's `1968-04-21` around. */
export function tidyBirthdate(text: string): string {
  const trimmed = text.trim();
  const bare = /^(\d{2})(\d{2})(\d{4})$/.exec(trimmed);
  if (bare) return `${bare[1]}-${bare[2]}-${bare[3]}`;
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(trimmed);
  return iso ? `${iso[2]}-${iso[3]}-${iso[1]}` : trimmed;
}

export function checkEntries(
  entries: LoginEntries,
): { readonly credentials: Credentials } | { readonly errors: LoginErrors } {
  const present = Object.fromEntries(
    Object.entries(entries).filter(([, value]) => value !== undefined),
  );
  const parsed = Credentials.safeParse(present);
  if (parsed.success) return { credentials: parsed.data };
  const errors: LoginErrors = {};
  for (const issue of parsed.error.issues) {
    const field = issue.path[0] as LoginField;
    errors[field] ??= issue.message;
  }
  return { errors };
}
