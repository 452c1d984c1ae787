import process from 'node:process';
import { checkCoverage } from './coverage.ts';
import { listTests } from './listed-tests.ts';

const root = process.cwd();
const { rowCount, findings } = checkCoverage(root, await listTests(root), 284);
for (const { id, problem } of findings)
  process.stderr.write(`docs/spec-coverage.md ${id}\n  ${problem}\n`);
process.stdout.write(`${rowCount} requirements, ${findings.length} findings\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
