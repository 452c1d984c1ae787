import * as z from 'zod/mini';
import { channels } from './messages.ts';

/** Rounded down to tens. Null: 1 to 9, which could point to a person. */
const Count = z.nullable(z.int());
/** Rounded down: of a thousand or more to a tenth, else to a whole one. Null: of fewer than ten. */
const Percent = z.nullable(z.number());

const PerformancePeriod = z.object({
  /** How many days, the last of them yesterday. */
  days: z.int(),
  messages: Count,
  /** Of the messages: handed to the email, text or call provider within ten seconds after they were due. */
  within_ten_seconds: Percent,
  /** Delivered as far as the channel's provider reports it. */
  channels: z.array(
    z.object({
      channel: z.enum(channels),
      messages: Count,
      delivered: Percent,
      failed: Percent,
    }),
  ),
  corrections: Count,
  /** The longest time without a new file of ballots or scans, in hours; null before there were any. */
  oldest_data_hours: z.nullable(z.int()),
  /** Of the minutes: the site answered. Rounded down to a hundredth of a percent; null when not measured. */
  availability: z.nullable(z.number()),
});
export type PerformancePeriod = z.infer<typeof PerformancePeriod>;

/** How an office's alerts and the site are doing. Names no one. */
export const Performance = z.object({
  /** The last day that is counted, YYYY-MM-DD in the office's time zone. */
  through: z.string(),
  /** When the newest file of ballots or scans was imported. */
  data_updated_at: z.nullable(z.string()),
  periods: z.array(PerformancePeriod),
});
export type Performance = z.infer<typeof Performance>;
