import { flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';

/** Set-up file of tests that Node loads: their worker ends by a signal, at which Node keeps nothing of what it compiled. */
afterAll(() => flushCompileCache());
