import { createFileKeys } from '../server/src/modules/uploads/index.ts';
import { createTokenKeys } from '../server/src/modules/voters/index.ts';

export const testTokenKey = 'a token key of the tests, long enough to be one';

/** The tests' tokens, with hashes that cost a thousandth of the product's. */
export const testTokenKeys = createTokenKeys([testTokenKey], { N: 64, r: 8, p: 1 });

export const testFileKey = 'a-file-key-of-the-tests-long-enough-to-be-one';

/** Seal the tests' uploaded files. */
export const testFileKeys = createFileKeys([testFileKey]);
