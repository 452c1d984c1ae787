import * as z from 'zod/mini';
import { FilterDay } from './filters.ts';

/** The tables of `beacon report`. */
export const reportNames = ['status', 'registrations', 'messages', 'fixes'] as const;
export type ReportName = (typeof reportNames)[number];

const Election = z.string().check(z.minLength(1, 'Choose an election.'), z.maxLength(60));

/** The first and the last day are in the office's time zone. */
const period = { from: FilterDay, to: FilterDay };

export const ReportQuery = z.object({
  report: z.enum(reportNames, 'Choose a report.'),
  /** The election's number; every election if left out. */
  election: z.optional(Election),
  ...period,
});
export type ReportQuery = z.infer<typeof ReportQuery>;

/** A table of counts, of which the first rows are shown; the file has them all. */
export const ReportAnswer = z.object({
  /** Every election of the office, newest first. */
  elections: z.array(z.object({ number: z.string(), name: z.string() })),
  columns: z.array(z.string()),
  /** A cell for each column. */
  rows: z.array(z.array(z.union([z.string(), z.number()]))),
  /** How many rows the whole table has. */
  count: z.int(),
});
export type ReportAnswer = z.infer<typeof ReportAnswer>;

export const ChartQuery = z.object({ election: Election, ...period });
export type ChartQuery = z.infer<typeof ChartQuery>;
