/** `npm run docs`: writes the pages that are generated from the code. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeAccountFilePage } from '../server/src/modules/accounts/index.ts';

const page = path.resolve(import.meta.dirname, '../docs/account-file.md');
writeFileSync(page, writeAccountFilePage());
process.stdout.write(`Written: ${page}\n`);
