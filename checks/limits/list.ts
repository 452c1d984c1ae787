/** `npm run limits`: the numeric limits that nothing tries at their edges, one a line. */
import process from 'node:process';
import { listUntried } from './limits.ts';

const untried = listUntried('.');
process.stdout.write(`${untried.join('\n')}\n${untried.length} limits are not tried.\n`);
