import { Credentials } from '@ballot-beacon/contract/session';
import type { LoginEntries, LoginErrors, LoginField } from './entries.ts';

/** Checks what was typed by the contract's rules, before anything is sent. */
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
