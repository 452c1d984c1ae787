/**
 * `npm run audit`: known weaknesses of the packages that run in production, moderate or worse, by the registry's own list.
 * Ends with 0 when there is none, 1 when there are some, and 3 when the registry did not answer: then nothing was checked.
 */
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const exitCodes = { none: 0, some: 1, notChecked: 3 } as const;
const patienceMs = 120_000;

interface Weakness {
  readonly severity: string;
  readonly range: string;
  /** A weakness of its own, or the name of the package that brings one. */
  readonly via: readonly (string | { readonly title: string; readonly url: string })[];
}

/** What `npm audit --json` prints: a report, or what went wrong. */
interface Answer {
  readonly auditReportVersion?: number;
  readonly vulnerabilities?: Readonly<Record<string, Weakness>>;
  readonly message?: string;
}

const { status, stdout } = spawnSync(
  'npm',
  ['audit', '--omit=dev', '--audit-level=moderate', '--json', ...process.argv.slice(2)],
  { encoding: 'utf8', timeout: patienceMs, maxBuffer: 64 * 1024 ** 2 },
);
const answer = readAnswer(stdout);

if (answer.auditReportVersion === undefined) {
  process.stderr.write(
    [
      `Nothing was checked: the registry did not answer which packages have known weaknesses${answer.message ? ` (${answer.message})` : ''}.`,
      'Some mirrors and proxies offer no audit. Run it again where npm reaches the public registry itself:',
      '  npm run audit -- --registry=ADDRESS',
      'Until it has run, do not publish a release.\n',
    ].join('\n'),
  );
  process.exitCode = exitCodes.notChecked;
} else if (status === 0) {
  process.stdout.write(
    'No package that runs in production has a known weakness, moderate or worse.\n',
  );
  process.exitCode = exitCodes.none;
} else {
  for (const [name, { severity, range, via }] of Object.entries(answer.vulnerabilities ?? {})) {
    const reasons = via.map((one) =>
      typeof one === 'string' ? `through ${one}` : `${one.title} ${one.url}`,
    );
    process.stderr.write(`${name} ${range} (${severity}): ${reasons.join('; ')}\n`);
  }
  process.stderr.write(
    "Update these packages (npm audit fix --omit=dev), or write in the release's notes why a weakness does not matter.\n",
  );
  process.exitCode = exitCodes.some;
}

function readAnswer(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {};
  }
}
