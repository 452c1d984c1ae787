import type { Translate } from '@ballot-beacon/contract/translate';
import type { FieldError } from './errors.ts';

export function wordsOfErrors(
  errors: readonly FieldError[] | undefined,
  t: Translate,
): readonly string[] {
  return (errors ?? []).map((error) => ('text' in error ? error.text : t(error.key, error.values)));
}
