import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly scope?: string;
}
interface Bill {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}
interface Package {
  readonly dev?: true;
  readonly devOptional?: true;
  devDependencies?: unknown;
}

/**
 * Lists the packages of a release: those in its tree, and those that the pages are built of.
 *
 * @param tree with the manifests, the lock file and the modules of the release
 * @param folder empty, to work in
 * @param isLeftOut of a package's name, whether the tree does without it
 * @returns CycloneDX, as JSON
 */
export function listPackages(
  tree: string,
  folder: string,
  isLeftOut: (name: string) => boolean,
): string {
  writeManifests(tree, folder);
  const parameters = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'];
  const bill = execFileSync('npm', parameters, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  const installed = new Set(
    globSync('{,server/}node_modules/{*,@*/*}/package.json', { cwd: tree })
      .map((file) => readJson<{ name: string; version: string }>(path.join(tree, file)))
      .map(({ name, version }) => `${name}@${version}`),
  );
  // The lock file also allows packages for other machines.
  const isPresent = ({ name, version, scope }: Component) =>
    !isLeftOut(name) && (scope !== 'optional' || installed.has(`${name}@${version}`));
  return keepComponents(JSON.parse(bill), isPresent);
}

/**
 * The manifests and the lock file without what only development needs. `npm sbom --omit=dev` would leave out packages of
 * production that development names, too.
 */
function writeManifests(tree: string, folder: string): void {
  const lock = readJson<{ packages: Record<string, Package> }>(
    path.join(tree, 'package-lock.json'),
  );
  const packages = Object.entries(lock.packages)
    .filter(([, one]) => !one.dev && !one.devOptional)
    .map(([place, { devDependencies: _, ...one }]) => [place, one]);
  const write = (file: string, content: unknown) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), JSON.stringify(content));
  };
  write('package-lock.json', { ...lock, packages: Object.fromEntries(packages) });
  for (const file of ['package.json', ...globSync('{*,dev/*}/package.json', { cwd: tree })]) {
    const { devDependencies: _, ...manifest } = readJson<Package>(path.join(tree, file));
    write(file, manifest);
  }
}

function keepComponents(bill: Bill, isKept: (component: Component) => boolean): string {
  const gone = new Set(
    bill.components.filter((one) => !isKept(one)).map((component) => component['bom-ref']),
  );
  const components = bill.components.filter((component) => !gone.has(component['bom-ref']));
  const dependencies = bill.dependencies
    .filter(({ ref }) => !gone.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => !gone.has(one)) }));
  return `${JSON.stringify({ ...bill, components, dependencies }, null, 1)}\n`;
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(file, 'utf8')) as Content;
}
