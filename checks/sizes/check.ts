import { findLongFiles } from './sizes.ts';

/** Far below what the tree has, far above what a broken search would find. */
const minimumFiles = 300;

const findings = findLongFiles(process.cwd(), minimumFiles);
for (const { file, problem } of findings) process.stderr.write(`${file}\n  ${problem}\n`);
process.stdout.write(`${findings.length} files are too long\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
