import { checkLocales, localeRules } from './check-locales.ts';

/** Far below the tree's own count, far above what a broken crawl would find. */
const minimumFiles = 40;

const { languages, keyCount, fileCount, findings } = checkLocales(process.cwd(), minimumFiles);
for (const { rule, where, detail } of findings)
  process.stderr.write(`${where}\n  ${detail}\n  against ${rule}: ${localeRules[rule]}\n`);
process.stdout.write(
  `${languages.length} languages, ${keyCount} keys, ${fileCount} source files, ${findings.length} findings\n`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
