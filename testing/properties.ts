import { configureGlobal } from 'fast-check';
import { runs } from './runs.ts';

/** Set-up file of `npm run long` alone: property tests that do not say how many examples they try, try more too. */
const usual = 100;
configureGlobal({ numRuns: runs(usual) });
