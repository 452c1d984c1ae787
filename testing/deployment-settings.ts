import { readCodeBlocks } from './pages.ts';

/** The names in each file of settings that an administrator writes by docs/operations/deployment.md, by the file's path. */
export function readDeploymentSettings(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    readCodeBlocks('operations/deployment.md').flatMap(({ text }) => {
      const [, file] = /^# (\/etc\/\S+\.env)$/m.exec(text) ?? [];
      const names = [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
      return file === undefined ? [] : [[file, names] as const];
    }),
  );
}
