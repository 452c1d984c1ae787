/** `npm run fuzz -- 100000`: that many made-up requests over every call, and as many over pages and providers' calls (server/src/attacks/fuzz*.test.ts). */
import { spawn } from 'node:child_process';
import process from 'node:process';

const requests = Number(process.argv[2] ?? 10_000);
if (!Number.isSafeInteger(requests) || requests < 1) {
  process.stderr.write('Say how many requests: npm run fuzz -- 100000\n');
  process.exit(2);
}
const child = spawn('npx', ['vitest', 'run', '--project', 'server', 'server/src/attacks/fuzz'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_REQUESTS: String(requests) },
});
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
