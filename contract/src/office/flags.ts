import * as z from 'zod/mini';
import { type FlagKey, flagKeys } from '../flags.ts';
import { RowId } from './filters.ts';

/** `default`: the office chose nothing; `rule`: a definition with targeting, which only the command line sets. */
export const FlagState = z.enum(['on', 'off', 'default', 'rule']);
export type FlagState = z.infer<typeof FlagState>;

const FlagName = z.enum(flagKeys as readonly [FlagKey, ...FlagKey[]]);

const ListedFlag = z.object({
  key: FlagName,
  state: FlagState,
  /** What it is where the office chose nothing. */
  default_value: z.boolean(),
  /** The last change on record, which can be undone while nothing came after it. */
  last_change: z.nullable(
    z.object({
      audit_id: z.int(),
      /** Instant, ISO 8601. */
      at: z.string(),
      who: z.string(),
      from: FlagState,
      to: FlagState,
    }),
  ),
});
export type ListedFlag = z.infer<typeof ListedFlag>;

export const FlagsAnswer = z.object({
  flags: z.array(ListedFlag),
  /** The office's flags come from LaunchDarkly, so that these have no effect. */
  is_elsewhere: z.boolean(),
});

export const FlagParams = z.object({ key: FlagName });
export const FlagChange = z.strictObject({ to: z.enum(['on', 'off', 'default']) });
/** The change to undo, as the list names it. */
export const FlagUndo = z.strictObject({ audit_id: RowId });
