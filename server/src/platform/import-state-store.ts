import { sql } from 'kysely';

/**
 * SQL of whether a row of `imports` is a file in effect: it was loaded, though its messages may wait, and was not put back. Every look at an
 * office's newest file goes by it.
 */
export const isInEffect = sql<boolean>`state not in ('refused', 'file-held', 'discarded', 'corrected')`;

/**
 * A file that waited for approval is loaded later than its number says, which it got when it came: among as many of the newest numbers is
 * the import that was loaded last.
 */
export const newestNumbers = sql.lit(20);
