import { withoutSignIn } from '../kinds/gate-words.ts';

interface Warning {
  readonly message: string;
  readonly count: number;
}

interface Rolled {
  readonly warnings: readonly Warning[];
  readonly rows: Readonly<Record<'read' | 'added' | 'refused' | 'passedOver', number>>;
}

/** An export without birth dates or ZIP codes looks right until voters try to sign in. */
export function warnOfSignIn({ warnings, rows }: Rolled): Warning[] {
  const kept = rows.read - rows.refused - rows.passedOver;
  const hasNone = warnings.some(
    ({ message, count }) => message.endsWith(withoutSignIn) && count >= kept,
  );
  if (rows.added === 0 || !hasNone) return [];
  const message =
    'No new voter of this file can sign in. Birth dates or ZIP codes are missing: ask the office for a file with both.';
  return [{ message, count: rows.added }];
}
