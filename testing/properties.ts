import { configureGlobal } from 'fast-check';
import { runs } from './runs.ts';

/** Set-up file: how property tests report, and how many examples those try that do not say. */
const usual = 100;
// As a cause of the report, the failure itself would be lost with the line that names the example.
configureGlobal({ includeErrorInReport: true, numRuns: runs(usual) });
