import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

test('unexpected console output fails the test that caused it, and announced output must come', async () => {
  const root = path.resolve(import.meta.dirname, 'fixtures/console');
  const folder = mkdtempSync(path.join(tmpdir(), 'beacon-console-'));
  const outputFile = path.join(folder, 'report.json');
  const vitest = path.resolve(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
  try {
    const exitCode = await new Promise((resolve) => {
      execFile(
        process.execPath,
        [vitest, 'run', '--root', root, '--reporter=json', `--outputFile=${outputFile}`],
        (error) => resolve(error?.code ?? 0),
      );
    });
    expect(exitCode).toBe(1);

    const report: Report = JSON.parse(readFileSync(outputFile, 'utf8'));
    const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(results).toHaveLength(8);
    for (const { title, status } of results)
      expect(`${title} → ${status}`).toBe(
        `${title} → ${title.endsWith(': passes') ? 'passed' : 'failed'}`,
      );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
