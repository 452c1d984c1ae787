import { checkImports } from './cruise.ts';

/** Far below what the tree contains, far above what a broken crawl would find. */
const minimumModules = 40;

const report = await checkImports(process.cwd(), minimumModules);
for (const { rule, from, to, advice } of report.violations)
  process.stderr.write(`${from}\n  imports ${to}\n  against ${rule}: ${advice}\n`);
process.stdout.write(
  `${report.moduleCount} modules, ${report.dependencyCount} imports, ${report.violations.length} violations\n`,
);
process.exitCode = report.violations.length === 0 ? 0 : 1;
