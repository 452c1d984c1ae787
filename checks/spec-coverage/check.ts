import process from 'node:process';
import { checkCoverage } from './coverage.ts';

const { rowCount, findings } = checkCoverage(process.cwd(), 284);
for (const { id, problem } of findings)
  process.stderr.write(`docs/spec-coverage.md ${id}\n  ${problem}\n`);
process.stdout.write(`${rowCount} requirements, ${findings.length} findings\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
