import { hash } from 'node:crypto';
import path from 'node:path';
import process from 'node:process';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A file that takes longer than this is started before the others, so that none is left running alone at the end. */
const longMs = 4_000;

/** These wait more than they work, for processes that are killed and started again; known even on a first run. */
const waiting = [
  'chaos/chaos.test.ts',
  'server/src/commands/broken-import.test.ts',
  'server/src/commands/watch.test.ts',
];

/**
 * Project by project, since a worker that meets a file of another ends, and loads everything again. In each long files first, by
 * the times of this machine's last run, or by size where it has none; then all others in an order drawn from the run's
 * seed, so that a test that needs another file to run before it is found out.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    process.stdout.write(`Files in the order of seed ${sequence.seed}\n`);
    const ordered = files.map((spec) => {
      const file = path.relative(root, spec.moduleId);
      const key = `${spec.project.name}:${file}`;
      const milliseconds = this.ctx.cache.getFileTestResults(key)?.duration;
      const weight = waiting.includes(file)
        ? Number.POSITIVE_INFINITY
        : (milliseconds ?? (this.ctx.cache.getFileStats(key)?.size ?? 0) / 2);
      return { spec, weight, draw: hash('sha1', `${sequence.seed} ${key}`) };
    });
    const isLong = ({ weight }: { weight: number }) => weight > longMs;
    const projects = [...Map.groupBy(ordered, ({ spec }) => spec.project.name).values()];
    // The server's are the most, and short files at the end leave no worker alone for long.
    projects.sort((a, b) => b.length - a.length);
    return projects
      .flatMap((files) => [
        ...files.filter(isLong).sort((a, b) => b.weight - a.weight),
        ...files.filter((file) => !isLong(file)).sort((a, b) => (a.draw < b.draw ? -1 : 1)),
      ])
      .map(({ spec }) => spec);
  }
}
