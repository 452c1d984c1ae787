import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run bench -- NAME …`: runs bench/NAME.bench.ts, whose last line is one JSON object with its figures. With `--help`, prints
 * the comment at the head of that file.
 */
const suffix = '.bench.ts';
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length));
const [given = '', ...parameters] = process.argv.slice(2);
// `notify --urgent` is a bench of its own.
const variant = given + (parameters[0]?.slice(1) ?? '');
const name = names.includes(variant) ? variant : given;

if (!names.includes(name)) {
  process.stderr.write(`Say which: npm run bench -- ${names.join(' | ')}\n`);
  process.exit(2);
}
const bench = join(import.meta.dirname, `${name}${suffix}`);
if (parameters.includes('--help')) {
  const [, comment = ''] = /^\/\*\*\n(.*?)^ \*\//ms.exec(readFileSync(bench, 'utf8')) ?? [];
  process.stdout.write(comment.replaceAll(/^ \* ?/gm, ''));
  process.exit();
}
const child = spawn(process.execPath, [bench, ...parameters], { stdio: 'inherit' });
child.once('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1;
});
