import type { Credentials } from '@ballot-beacon/contract/session';
import { tidyBirthdate } from './birthdate.ts';

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
